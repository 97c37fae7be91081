public import FirebaseMessaging

/// The name of `Messaging` in version 1.
@available(*, deprecated, renamed: "Messaging")
public typealias FIRMessaging = Messaging

/// The name of `MessagingDelegate` in version 1.
@available(*, deprecated, renamed: "MessagingDelegate")
public typealias FIRMessagingDelegate = MessagingDelegate

/// The name of `MessagingRemoteMessage` in version 1.
@available(*, deprecated, renamed: "MessagingRemoteMessage")
public typealias FIRMessagingRemoteMessage = MessagingRemoteMessage

/// The name of `MessagingMessageInfo` in version 1.
@available(*, deprecated, renamed: "MessagingMessageInfo")
public typealias FIRMessagingMessageInfo = MessagingMessageInfo

/// The name of `MessagingMessageStatus` in version 1.
@available(*, deprecated, renamed: "MessagingMessageStatus")
public typealias FIRMessagingMessageStatus = MessagingMessageStatus

/// The name of `MessagingAPNSTokenType` in Objective-C.
@available(*, deprecated, renamed: "MessagingAPNSTokenType")
public typealias FIRMessagingAPNSTokenType = MessagingAPNSTokenType

/// The name of `MessagingConnectCompletion` in version 1.
@available(*, deprecated, renamed: "MessagingConnectCompletion")
public typealias FIRMessagingConnectCompletion = MessagingConnectCompletion

/// The name of `MessagingError` in version 1.
@available(*, deprecated, renamed: "MessagingError")
public typealias FIRMessagingError = MessagingError

extension Messaging {
    /// The label of `connect(handler:)` in version 1. A trailing closure takes either.
    @_disfavoredOverload
    @available(*, deprecated, renamed: "connect(handler:)")
    public func connect(completion: @escaping ((any Error)?) -> Void) { connect(handler: completion) }

    @available(*, deprecated, renamed: "connect(handler:)")
    public func connectWithCompletion(_ handler: @escaping ((any Error)?) -> Void) { connect(handler: handler) }

    @available(*, deprecated, renamed: "subscribe(toTopic:)")
    public func subscribeToTopic(_ topic: String) { subscribe(toTopic: topic) }

    @available(*, deprecated, renamed: "unsubscribe(fromTopic:)")
    public func unsubscribeFromTopic(_ topic: String) { unsubscribe(fromTopic: topic) }
}
