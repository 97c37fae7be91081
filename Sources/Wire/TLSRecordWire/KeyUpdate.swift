/// The only message of the handshake that comes after it, for us: a new key for what its sender sends. Source: RFC 8446
/// §4.6.3.
enum KeyUpdate {
    private static let type: UInt8 = 24

    static func message(requestsAnother: Bool) -> [UInt8] { [type, 0, 0, 1, requestsAnother ? 1 : 0] }

    /// - Returns: Whether the peer wants a new key of us too.
    static func requestsAnother(_ message: UnsafeRawBufferPointer) throws(TLSAlert) -> Bool {
        guard let first = message.first, first == type else { throw .unexpectedMessage }
        guard message.count == 5, message[1] == 0, message[2] == 0, message[3] == 1 else { throw .decodeError }
        guard message[4] <= 1 else { throw .illegalParameter }
        return message[4] == 1
    }
}
