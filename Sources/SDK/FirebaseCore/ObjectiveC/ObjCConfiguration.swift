#if canImport(ObjectiveC)
    public import Foundation

    /// `FirebaseLoggerLevel` for Objective-C.
    @objc(FIRLoggerLevel)
    public enum ObjCLoggerLevel: Int {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7
    }

    /// `FirebaseConfiguration` for Objective-C.
    @objc(FIRConfiguration)
    public final class ObjCConfiguration: NSObject, Sendable {
        @objc public static let sharedInstance = ObjCConfiguration()

        @objc(setLoggerLevel:)
        public func setLoggerLevel(_ level: ObjCLoggerLevel) {
            guard let level = FirebaseLoggerLevel(rawValue: level.rawValue) else { return }
            FirebaseConfiguration.shared.setLoggerLevel(level)
        }
    }
#endif
