import FirebasePlatform
import Synchronization

extension VirtualIPhone {
    /// The app sends a message to its server. An event tells how that ended, unless it has no time to live.
    ///
    /// - Parameters:
    ///   - receiver: `<sender id>@gcm.googleapis.com`, or the key of a device group.
    ///   - timeToLiveSeconds: 0 is now or never; a day at most.
    public func sendUpstream(
        to receiver: String, data: [String: String], messageID: String, timeToLiveSeconds: Int64
    ) async throws(Failure) {
        guard let app = sampleApp else { throw .notRunning }
        await onMain { [self] in
            inContainer {
                let user: any DirectChannelUser = app
                user.sendUpstream(data, to: receiver, messageID: messageID, timeToLiveSeconds: timeToLiveSeconds)
            }
        }
    }

    /// Whether the direct channel of the running app is up.
    public var isDirectChannelUp: Bool {
        guard let app = sampleApp else { return false }
        var isUp = false
        inContainer {
            let user: any DirectChannelUser = app
            isUp = user.isDirectChannelUp
        }
        return isUp
    }

    /// The SDK posted a notification within the app. On main, inside the container.
    func posted(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {
        state.withLock(\.app)?.posted(name, object: object, userInfo: userInfo)
    }
}
