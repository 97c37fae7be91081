public import PushModel

/// The text by which a device acknowledges a delivery: `0:<microseconds>%<16 hex digits>`. The digits are the number of
/// the delivery, so an acknowledgement needs no look-up.
///
/// Source: the form of FCM's own ids, as device logs show it.
public enum PersistentID {
    /// Longer texts are nothing that this service wrote.
    private static let maximumBytes = 64

    /// Written for each delivery: made in one piece.
    public static func text(of delivery: DeliveryID, message: MessageID) -> String {
        String(unsafeUninitializedCapacity: maximumBytes) { bytes in
            var count = 0
            func append(_ byte: UInt8) {
                bytes[count] = byte
                count += 1
            }
            append(UInt8(ascii: "0"))
            append(UInt8(ascii: ":"))
            if message.value < 0 { append(UInt8(ascii: "-")) }
            var divisor: UInt64 = 1
            while message.value.magnitude / divisor >= 10 { divisor *= 10 }
            while divisor > 0 {
                append(UInt8(ascii: "0") + UInt8(message.value.magnitude / divisor % 10))
                divisor /= 10
            }
            append(UInt8(ascii: "%"))
            let number = UInt64(bitPattern: delivery.value)
            for place in (0..<16).reversed() { append(hexDigits[Int(number >> UInt64(4 * place)) & 15]) }
            return count
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// `nil` for every text of another form.
    public static func parse(_ text: some StringProtocol) -> (delivery: DeliveryID, message: MessageID)? {
        guard text.utf8.count <= maximumBytes, text.hasPrefix("0:") else { return nil }
        let parts = text.dropFirst(2).split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(\.isDigit), parts[1].utf8.count == 16,
            parts[1].utf8.allSatisfy(\.isHexDigit), let message = Int64(parts[0]),
            let bits = UInt64(parts[1], radix: 16)
        else { return nil }
        let delivery = Int64(bitPattern: bits)
        return delivery > 0 ? (DeliveryID(value: delivery), MessageID(value: message)) : nil
    }

    /// The number alone.
    public static func delivery(_ text: some StringProtocol) -> DeliveryID? {
        parse(text)?.delivery
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self) }
}
