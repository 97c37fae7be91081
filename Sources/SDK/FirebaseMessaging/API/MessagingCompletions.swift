/// Gets the token, or why there is none.
@available(*, deprecated, message: "Write the closure type out: (String?, (any Error)?) -> Void.")
public typealias MessagingFCMTokenFetchCompletion = (_ fcmToken: String?, _ error: (any Error)?) -> Void

/// Told why the token was not deleted; `nil` when it was.
@available(*, deprecated, message: "Write the closure type out: ((any Error)?) -> Void.")
public typealias MessagingDeleteFCMTokenCompletion = (_ error: (any Error)?) -> Void

/// Told why a topic call failed; `nil` when it did not. It never had another name in Swift.
@available(*, deprecated, message: "Write the closure type out: ((any Error)?) -> Void.")
public typealias FIRMessagingTopicOperationCompletion = (_ error: (any Error)?) -> Void
