public import PushModel

/// Gives each delivery its `apns-id`: the same one after a restart, so that a push sent twice can be recognised.
public struct ApplePushIDs: Sendable {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private let mac: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameter mac: A MAC under the server's secret, at least 16 bytes long.
    public init(mac: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.mac = mac
    }

    /// A lower-case UUID (version 4 in form). It follows from who gets what, so a delivery that is made again for the
    /// same registration has the same one.
    public func id(of message: MessageID, to registration: RegistrationID) -> String {
        var input = Array("apns-id".utf8)
        for value in [message.value, registration.value] {
            for shift in stride(from: 56, through: 0, by: -8) {
                input.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
            }
        }
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in mac(input).prefix(16).enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            let byte = index == 6 ? byte & 0x0F | 0x40 : index == 8 ? byte & 0x3F | 0x80 : byte
            text.append(Self.hexDigits[Int(byte >> 4)])
            text.append(Self.hexDigits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
