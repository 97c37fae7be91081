import PushModel

/// What a session needs to know from outside. Chance comes in here, too.
struct CCSSessionServices: Sendable {
    /// The project of a sender who proves it; `nil` for everybody else.
    var authenticate: @Sendable (CCSCredentials) -> Project?
    /// Counts one more connection of the project; `false` when it has as many as it may.
    var admit: @Sendable (ProjectNumber) -> Bool
    /// An unpredictable text for streams and resources.
    var newID: @Sendable () -> String
    /// Messages that may wait for their answers. Source: FCM XMPP protocol, flow control.
    var maximumPending = 100
    /// Wrong credentials after which the connection ends.
    var maximumFailures = 3
}
