import Bytes
import PushModel

/// What is kept of an outcome beside its number: the platform's id of the push, or its reason.
enum OutcomeDetail: Equatable {
    case none
    /// A UUID, as an `apns-id` is one: 16 bytes instead of 36.
    case uuid([UInt8])
    case text(String)

    private static let maximumCharacters = 200

    init(of outcome: DeliveryOutcome) {
        let text = Self.text(of: outcome)
        if let bytes = Self.uuid(text) {
            self = .uuid(bytes)
        } else {
            self = text.isEmpty ? .none : .text(String(text.prefix(Self.maximumCharacters)))
        }
    }

    private static func text(of outcome: DeliveryOutcome) -> String {
        switch outcome {
        // The id of a delivery on the device channel follows from its number.
        case .accepted(let providerID): return providerID.hasPrefix("0:") ? "" : providerID
        case .expired, .superseded, .discarded: return ""
        case .failed(let error):
            guard let reason = error.apns?.reason, !reason.isEmpty else { return error.message }
            return reason
        }
    }

    /// The bytes of a UUID in its usual form.
    private static func uuid(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 36 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (place, byte) in text.utf8.enumerated() {
            let isHyphenPlace = place == 8 || place == 13 || place == 18 || place == 23
            guard isHyphenPlace == (byte == UInt8(ascii: "-")) else { return nil }
            if isHyphenPlace { continue }
            guard let digit = Hex.value(of: byte) else { return nil }
            if let first = high { bytes.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        return bytes
    }
}

extension OutcomeDetail: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch self {
        case .none: String?.none.bind(to: statement, at: place)
        case .uuid(let bytes): bytes.bind(to: statement, at: place)
        case .text(let text): text.bind(to: statement, at: place)
        }
    }
}
