import Bytes
public import PushModel

/// Writes and reads notification keys: `APA91b<base64url>`, which look like the registration tokens of old.
///
/// The part after the mark holds version, group, project, filler and a MAC over all of it. Its length and its seal
/// differ from those of registration tokens, so neither is ever taken for the other.
public struct DeviceGroupKeyCodec: Sendable {
    private static let mark = "APA91b"
    private static let version: UInt8 = 1
    private static let contentBytes = 1 + 8 + 8
    private static let fillerBytes = 48
    private static let macBytes = 32
    private static let totalBytes = contentBytes + fillerBytes + macBytes

    private let sealing: Sealing

    public init(sealing: Sealing) {
        self.sealing = sealing.derived(for: "device group")
    }

    /// The same key each time: 136 characters.
    public func key(of group: DeviceGroupID, in project: ProjectNumber) -> String {
        var body: [UInt8] = [Self.version]
        append(UInt64(bitPattern: group.value), to: &body)
        append(project.value, to: &body)
        body += filler(after: body)
        body += sealing.seal(body)
        return Self.mark + Base64URL.encode(body)
    }

    public func key(of group: DeviceGroup) -> String { key(of: group.id, in: group.project) }

    /// `nil` for every text that `key` did not write.
    public func decode(_ text: some StringProtocol) -> (group: DeviceGroupID, project: ProjectNumber)? {
        guard text.utf8.count == Self.mark.utf8.count + (Self.totalBytes * 8 + 5) / 6, text.hasPrefix(Self.mark),
            let bytes = Base64URL.decode(text.dropFirst(Self.mark.count)), bytes.count == Self.totalBytes,
            bytes.first == Self.version
        else { return nil }
        let sealed = Array(bytes.dropLast(Self.macBytes))
        guard sealing.isEqual(sealing.seal(sealed), Array(bytes.suffix(Self.macBytes))) else { return nil }
        return (
            DeviceGroupID(value: Int64(bitPattern: integer(sealed[1..<9]))),
            ProjectNumber(value: integer(sealed[9..<17]))
        )
    }

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
