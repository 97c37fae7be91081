import Bytes
import FirebaseCore
import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Handles each message that the app received once, however often it is handed over.
final class MessageReceiver: Sendable {
    private let app: FirebaseApp
    private let platform: Platform
    private let received: ReceivedMessages
    /// Ids of this process: the proxy and the app may both hand over the same message.
    private let seenIDs = Mutex(RecentIDs())
    private let dismissedIDs = Mutex(RecentIDs())

    init(app: FirebaseApp) {
        self.app = app
        platform = app.platform
        received = ReceivedMessages(platform: app.platform)
    }

    func handle(_ message: IncomingMessage) {
        switch message {
        case .received(let payload): _ = receive(payload.mapValues(\.any))
        case .dismissed(let payload): dismiss(payload.mapValues(\.any))
        }
    }

    /// The user put a notification away. Nothing opens it any more: code of older guides hands over every answer of the
    /// user as a message that was received, this one too.
    func dismiss(_ userInfo: [AnyHashable: Any]) {
        guard !userInfo.isEmpty else { return }
        let message = ReceivedMessage(userInfo)
        if let id = message.id {
            seenIDs.withLock { _ = $0.insert(id) }
            guard dismissedIDs.withLock({ $0.insert(id) }) else { return }
        }
        guard platform.analytics == nil else { return }
        MessageReports.reportDismissal(of: message, to: app)
    }

    func receive(_ userInfo: [AnyHashable: Any]) -> MessagingMessageStatus {
        guard !userInfo.isEmpty else { return .unknown }
        let message = ReceivedMessage(userInfo)
        let plan = LocalTimeMessage.plan(
            message, now: platform.clock.now(), offset: platform.device.localTimeOffsetSeconds(at:))
        guard !cameBefore(message, isLocalTimeMessage: plan != .none) else { return .new }
        if let analytics = platform.analytics {
            MessageAnalytics.report(message, state: platform.appState.current, to: analytics)
        } else {
            MessageReports.report(message, state: platform.appState.current, of: app)
        }
        carryOut(plan, for: message)
        openLink(of: message)
        return .new
    }

    private func cameBefore(_ message: ReceivedMessage, isLocalTimeMessage: Bool) -> Bool {
        guard let id = message.id else { return false }
        if message.isContentAvailable, received.noteFromAPNs(id, timeToLiveSeconds: message.timeToLiveSeconds) {
            return true
        }
        guard !isLocalTimeMessage else { return false }
        return !seenIDs.withLock { $0.insert(id) }
    }

    /// Notes a message of the direct channel.
    ///
    /// - Returns: Whether it came before, on either way.
    func cameBeforeDirectly(_ id: String, timeToLiveSeconds: Int64?) -> Bool {
        let isOld = received.noteFromDirectChannel(id, timeToLiveSeconds: timeToLiveSeconds)
        return !seenIDs.withLock { $0.insert(id) } || isOld
    }

    private func carryOut(_ plan: LocalTimeMessage.Plan, for message: ReceivedMessage) {
        switch plan {
        case .none, .drop: break
        case .unreadable(let key):
            app.log.error("I-FCM015000", "The message is not shown: \(key) is no time of the form yyyy-MM-dd HH:mm:ss.")
        case .show(let time):
            let identifier = message.id ?? Hex.encode(platform.random.bytes(16))
            platform.notificationCenter.schedule(
                LocalTimeMessage.notification(for: message, identifier: identifier, at: time))
        }
    }

    /// The system ends an app that makes a browsing activity of anything but a web address.
    private func openLink(of message: ReceivedMessage) {
        guard let link = message.link, let url = URL(string: link) else { return }
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false else {
            app.log.warning("I-FCM010001", "The link of a message is not opened: it is no web address.")
            return
        }
        let links = platform.links
        app.onMainNow { links.open(url: link) }
    }
}
