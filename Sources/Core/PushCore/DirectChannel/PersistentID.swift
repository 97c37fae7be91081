public import PushModel

/// The text by which a device acknowledges a delivery: `0:<microseconds>%<16 hex digits>`. The digits are the number of
/// the delivery, so an acknowledgement needs no look-up.
///
/// Source: the form of FCM's own ids, as device logs show it.
public enum PersistentID {
    /// Longer texts are nothing that this service wrote.
    private static let maximumBytes = 64

    public static func text(of delivery: DeliveryID, message: MessageID) -> String {
        let hex = String(UInt64(bitPattern: delivery.value), radix: 16)
        return "0:\(message.value)%" + String(repeating: "0", count: 16 - hex.utf8.count) + hex
    }

    /// `nil` for every text of another form.
    public static func delivery(_ text: some StringProtocol) -> DeliveryID? {
        guard text.utf8.count <= maximumBytes, text.hasPrefix("0:") else { return nil }
        let parts = text.dropFirst(2).split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, Int64(parts[0]) != nil, parts[1].utf8.count == 16,
            parts[1].utf8.allSatisfy(\.isHexDigit), let value = UInt64(parts[1], radix: 16)
        else { return nil }
        let id = Int64(bitPattern: value)
        return id > 0 ? DeliveryID(value: id) : nil
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
