public import PushModel
public import Timekeeping

/// Messages to app servers until one acknowledges them.
public protocol UpstreamStore: Sendable {
    /// Stores a message of an app. Durable when it returns.
    /// - Parameter origin: `nil` when the device does not number it: then a repetition is not recognised.
    /// - Returns: `nil` when the message of that origin was stored before.
    func acceptUpstream(
        _ draft: UpstreamDraft, from origin: UpstreamOrigin?
    ) async throws(StoreError) -> UpstreamMessage?

    /// The open messages of a project after an id, in order of acceptance; expired ones included.
    func openUpstream(
        of project: ProjectNumber, after id: UpstreamID, limit: Int
    ) throws(StoreError) -> [UpstreamMessage]

    /// Closes messages: acknowledged, or expired. Durable when it returns. Their origins are remembered for as long as
    /// a device may repeat them.
    func closeUpstream(_ ids: [UpstreamID]) async throws(StoreError)

    /// The ids in a device's queue of the messages that the store has or had lately, oldest first.
    func upstreamQueueIDs(of device: UInt64, limit: Int) throws(StoreError) -> [String]

    /// Forgets closed messages and drops expired ones.
    func pruneUpstream(expiredBefore time: Timestamp) async throws(StoreError)
}

/// Which upstream messages the store has or had lately, told by where they come from.
public protocol UpstreamOrigins: Sendable {
    func knowsUpstream(from origin: UpstreamOrigin) throws(StoreError) -> Bool

    /// Remembers the origin of a message that did not go to an app server. Durable when it returns.
    /// - Parameter expiresAt: When the device gives the message up.
    func rememberUpstream(
        from origin: UpstreamOrigin, to project: ProjectNumber, expiresAt: Timestamp
    ) async throws(StoreError)
}
