public import PushModel

/// A connection of an app server that takes upstream messages.
public protocol AppServerSession: AnyObject, Sendable {
    /// Hands over one message. Called from any thread, one message after the other, and never twice at a time.
    ///
    /// The same message comes again when it is not acknowledged in time.
    func deliver(_ message: UpstreamMessage)
}
