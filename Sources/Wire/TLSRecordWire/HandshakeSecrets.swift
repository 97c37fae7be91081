internal import COpenSSL

/// The application traffic secrets of one connection, from the lines that a TLS library writes for its key log: two hex
/// words after the name of the secret, the client's random number and the secret.
public struct HandshakeSecrets: Sendable {
    public private(set) var client: [UInt8] = []
    public private(set) var server: [UInt8] = []

    public init() {}

    /// Takes the secret out of a line, when it has one of the two.
    public mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count == 3, words[2].count <= 2 * TLSCipherSuite.maximumSecretBytes else { return }
        switch words[0].count {
        case Self.clientName.utf8CodeUnitCount where Self.isEqual(words[0], Self.clientName): client = bytes(words[2])
        case Self.serverName.utf8CodeUnitCount where Self.isEqual(words[0], Self.serverName): server = bytes(words[2])
        default: break
        }
    }

    /// Overwrites both.
    public mutating func erase() {
        client.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        server.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        self = HandshakeSecrets()
    }

    private static let clientName: StaticString = "CLIENT_TRAFFIC_SECRET_0"
    private static let serverName: StaticString = "SERVER_TRAFFIC_SECRET_0"

    private static func isEqual(_ word: Slice<UnsafeBufferPointer<UInt8>>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { word.elementsEqual($0) }
    }

    /// - Returns: Nothing when it is no hexadecimal number of whole bytes.
    private func bytes(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let digit = Self.digit(character) else { return [] }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : []
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
