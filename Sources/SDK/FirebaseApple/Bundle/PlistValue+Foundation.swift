#if canImport(Darwin)
    import FirebasePlatform
    import Foundation

    extension PlistValue {
        /// Reads a value of a property list as Foundation holds it. `nil` for anything else.
        init?(foundation value: Any) {
            switch value {
            case let value as String: self = .string(value)
            case let value as NSNumber: self.init(number: value)
            case let value as Date: self = .date(value)
            case let value as Data: self = .data(Array(value))
            case let value as [Any]: self = .array(value.compactMap(PlistValue.init(foundation:)))
            case let value as [String: Any]: self = .dictionary(value.compactMapValues(PlistValue.init(foundation:)))
            default: return nil
            }
        }

        /// Tells booleans, whole and other numbers apart: bridging lets each pass for the others.
        private init(number: NSNumber) {
            if CFGetTypeID(number) == CFBooleanGetTypeID() {
                self = .bool(number.boolValue)
            } else if number.doubleValue.rounded() == number.doubleValue, abs(number.doubleValue) < 9e18 {
                self = .integer(number.int64Value)
            } else {
                self = .real(number.doubleValue)
            }
        }

        /// The value as user defaults store it.
        var foundation: Any {
            switch self {
            case .string(let value): value
            case .bool(let value): value
            case .integer(let value): value
            case .real(let value): value
            case .date(let value): value
            case .data(let value): Data(value)
            case .array(let values): values.map(\.foundation)
            case .dictionary(let entries): entries.mapValues(\.foundation)
            }
        }
    }
#endif
