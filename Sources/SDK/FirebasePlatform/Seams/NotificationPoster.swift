#if canImport(Darwin)
    public import Foundation

    public typealias NotificationName = Notification.Name
#else
    /// The name of a notification within the process. On Apple it is `Notification.Name`.
    public struct NotificationName: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(_ rawValue: String) { self.rawValue = rawValue }
        public init(rawValue: String) { self.rawValue = rawValue }
    }
#endif

/// Posts notifications to observers in the app. The SDK calls it on the main executor.
public protocol NotificationPoster: Sendable {
    func post(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable])
}
