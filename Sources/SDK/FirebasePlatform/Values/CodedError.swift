#if canImport(Darwin)
    public import Foundation

    /// An error with a domain and a number, as `NSError` has them: apps and crash reports search for exactly these.
    public protocol CodedError: CustomNSError {
        var failureReason: String? { get }
    }

    extension CodedError {
        public var errorUserInfo: [String: Any] {
            failureReason.map { [NSLocalizedFailureReasonErrorKey: $0] } ?? [:]
        }
    }
#else
    /// An error with a domain and a number, as `NSError` has them on Apple: apps and logs search for exactly these.
    public protocol CodedError: Error, CustomStringConvertible {
        static var errorDomain: String { get }
        var errorCode: Int { get }
        var failureReason: String? { get }
    }

    extension CodedError {
        public var description: String {
            let base = "\(Self.errorDomain) error \(errorCode)"
            return failureReason.map { "\(base): \($0)" } ?? base
        }
    }
#endif
