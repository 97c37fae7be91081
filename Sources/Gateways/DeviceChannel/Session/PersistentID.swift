import Bytes
import PushModel

/// The id under which a device knows a message: `0:` microseconds `%` 16 hexadecimal digits of the delivery.
///
/// The same at each try. Source: the form in captures of Google's server.
enum PersistentID {
    static func text(of id: DeliveryID, message: MessageID) -> String {
        let digits = String(UInt64(bitPattern: id.value), radix: 16)
        return "0:\(message.value)%" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The delivery that a client means; `nil` for an id that this server does not make.
    static func delivery(_ text: String) -> DeliveryID? {
        guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "%")) else { return nil }
        let digits = text.utf8[text.utf8.index(after: mark)...]
        guard digits.count == 16 else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard let part = Hex.value(of: digit) else { return nil }
            value = value << 4 | UInt64(part)
        }
        return DeliveryID(value: Int64(bitPattern: value))
    }
}
