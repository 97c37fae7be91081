import Bytes
public import PushModel

/// What a registration token says about itself once its seal is checked.
public struct RegistrationTokenContent: Sendable, Equatable {
    public var fid: String
    public var registration: RegistrationID
    public var project: ProjectNumber
    /// Equals the registration's `tokenNonce` while the token is its current one.
    public var nonce: UInt64

    public init(fid: String, registration: RegistrationID, project: ProjectNumber, nonce: UInt64) {
        self.fid = fid
        self.registration = registration
        self.project = project
        self.nonce = nonce
    }
}

/// Writes and reads registration tokens: `<FID>:APA91b<base64url>`.
///
/// The part after the mark holds version, registration, project, nonce, filler and a MAC over all of it and the FID,
/// so a mistyped or forged token is refused without a look-up, and a true one is found by its row number. The filler
/// brings the token to the length that senders' columns expect (about 163 characters).
public struct RegistrationTokenCodec: Sendable {
    private static let mark = "APA91b"
    private static let version: UInt8 = 1
    private static let contentBytes = 1 + 8 + 8 + 8
    private static let fillerBytes = 42
    private static let macBytes = 32
    /// Longer texts are refused before they are decoded.
    public static let maximumCharacters = 256

    private let sealing: Sealing

    public init(sealing: Sealing) {
        self.sealing = sealing.derived(for: "registration token")
    }

    public func encode(_ content: RegistrationTokenContent) -> String {
        var body: [UInt8] = [Self.version]
        append(UInt64(bitPattern: content.registration.value), to: &body)
        append(content.project.value, to: &body)
        append(content.nonce, to: &body)
        body += filler(after: body)
        body += sealing.seal(Array(content.fid.utf8) + body)
        let tail = Self.mark + Base64URL.encode(body)
        return content.fid.isEmpty ? tail : content.fid + ":" + tail
    }

    /// The current token of a registration.
    public func token(of registration: Registration) -> String {
        encode(
            RegistrationTokenContent(
                fid: registration.fid, registration: registration.id, project: registration.project,
                nonce: registration.tokenNonce))
    }

    /// `nil` for every text that `encode` did not write.
    public func decode(_ text: some StringProtocol) -> RegistrationTokenContent? {
        guard text.utf8.count <= Self.maximumCharacters else { return nil }
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        let last = colon.map { text[text.utf8.index(after: $0)...] } ?? text[...]
        guard last.utf8.starts(with: Self.mark.utf8) else { return nil }
        let fid = colon.map { String(text[..<$0]) } ?? ""
        guard let bytes = Base64URL.decode(last[last.utf8.index(last.startIndex, offsetBy: Self.mark.utf8.count)...]),
            bytes.count == Self.contentBytes + Self.fillerBytes + Self.macBytes, bytes.first == Self.version
        else { return nil }
        let sealed = Array(bytes.dropLast(Self.macBytes))
        guard sealing.isEqual(sealing.seal(Array(fid.utf8) + sealed), Array(bytes.suffix(Self.macBytes))) else {
            return nil
        }
        return RegistrationTokenContent(
            fid: fid, registration: RegistrationID(value: Int64(bitPattern: integer(sealed[1..<9]))),
            project: ProjectNumber(value: integer(sealed[9..<17])), nonce: integer(sealed[17..<25]))
    }

    /// Bytes that follow from the content, so that the same registration always has the same token.
    private func filler(after body: [UInt8]) -> [UInt8] {
        let first = sealing.seal(Array("filler 1".utf8) + body)
        let second = sealing.seal(Array("filler 2".utf8) + body)
        return first + second.prefix(Self.fillerBytes - Self.macBytes)
    }

    private func append(_ value: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    private func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
