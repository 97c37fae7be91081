import EventLoop
import FirebasePlatform
import JSON
import Synchronization

/// What iOS does with a push. All of it runs on the phone's main thread.
///
/// Source: Apple, "Handling notifications and notification-related actions", "Pushing background updates to your app".
extension VirtualIPhone {
    func arrived(_ push: ArrivingPush) {
        guard push.bundleID == package.bundleID else { return }
        guard let content = PushContent(push.payload) else {
            return report(.dropped, ["reason": "The payload is not an object with an aps object."])
        }
        if let badge = content.badge { state.withLock { $0.tray.setBadge(badge, of: package.bundleID) } }
        if content.hasAlert { show(content, of: push) }
        if content.isContentAvailable { tellApp(content) }
        if let badge = content.badge {
            report(.badgeChanged, messageID: content.messageID, ["badge": .integer(badge)])
        }
        if !content.hasAlert, !content.isContentAvailable, content.badge == nil {
            report(.dropped, messageID: content.messageID, ["reason": "There is nothing to show and nobody to tell."])
        }
    }

    /// The service extension has it first, when the push lets it and the app brings one.
    private func show(_ content: PushContent, of push: ArrivingPush) {
        let identifier = push.collapseID ?? push.apnsID
        let notification = content.notification(identifier: identifier, bundleID: push.bundleID)
        guard isForeground || state.withLock(\.allowsNotifications) else {
            return report(
                .dropped, messageID: content.messageID, ["reason": "The user does not let the app notify."])
        }
        guard content.isMutable, let service = serviceExtension else { return show(notification) }
        service.process(notification) { [weak self] in self?.show($0) }
    }

    /// In the foreground the app decides; otherwise the notification goes to the notification centre.
    private func show(_ notification: ShownNotification) {
        let messageID = notification.messageID
        guard isForeground else { return place(notification) }
        let answer: @Sendable (Bool) -> Void = { [loop] shows in
            guard shows else { return }
            _ = loop.execute { [weak self] in self?.place(notification) }
        }
        hand(.received(notification.entries)) { $0.willPresent(notification, answer: answer) }
        report(.willPresent, messageID: messageID, details(of: notification))
    }

    /// A notification that the app asked for, at its time.
    func showScheduled(_ notification: LocalNotification) {
        let text: [(String, String?)] = [("title", notification.title), ("body", notification.body)]
        var aps: JSONObject = [
            "alert": .object(JSONObject(text.compactMap { name, text in text.map { (name, .string($0)) } }))
        ]
        if let badge = notification.badge { aps["badge"] = .integer(badge) }
        if let sound = notification.sound { aps["sound"] = .string(sound) }
        if let category = notification.category { aps["category"] = .string(category) }
        var payload: JSONObject = ["aps": .object(aps)]
        for (key, value) in notification.userInfo.sorted(by: { $0.key < $1.key }) { payload[key] = value.json }
        guard isForeground || state.withLock(\.allowsNotifications),
            let content = PushContent(Array(payload.encoded))
        else { return }
        if let badge = notification.badge { state.withLock { $0.tray.setBadge(badge, of: package.bundleID) } }
        show(content.notification(identifier: notification.identifier, bundleID: package.bundleID))
    }

    private func place(_ notification: ShownNotification) {
        state.withLock { $0.tray.show(notification) }
        report(.shown, messageID: notification.messageID, details(of: notification))
    }

    /// Tells the app of a message. Proxies of the SDK hear of it first, when the app lets them.
    func hand(_ message: IncomingMessage, to app: (any HostedApp) -> Void) {
        inContainer {
            incomingMessages.deliver(message)
            if let running = state.withLock(\.app) { app(running) }
        }
    }

    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. iOS starts the app for it unless the user
    /// ended it.
    private func tellApp(_ content: PushContent) {
        guard !state.withLock(\.endedByUser) else {
            return report(
                .dropped, messageID: content.messageID,
                ["reason": "The user ended the app; iOS does not start it for a background push."])
        }
        guard isRunning else { return startForBackgroundPush(content) }
        hand(.received(PayloadValue.entries(content.payload.userInfo))) {
            $0.didReceiveRemoteNotification(content.payload)
        }
        report(.didReceiveRemoteNotification, messageID: content.messageID, ["user_info": .object(content.payload)])
    }

    private func startForBackgroundPush(_ content: PushContent) {
        Task(executorPreference: loop) { [self] in
            do {
                try await launch(foreground: false)
                await onMain { [self] in tellApp(content) }
            } catch {
                report(.dropped, messageID: content.messageID, ["reason": .string("\(error)")])
            }
        }
    }

    func details(of notification: ShownNotification) -> JSONObject {
        var details: JSONObject = ["identifier": .string(notification.identifier)]
        let texts = [
            ("title", notification.title), ("subtitle", notification.subtitle), ("body", notification.body),
            ("category", notification.category), ("thread_id", notification.threadID), ("sound", notification.sound),
        ]
        for (name, text) in texts {
            if let text { details[name] = .string(text) }
        }
        if !notification.attachments.isEmpty {
            details["attachments"] = .array(notification.attachments.map(\.json))
        }
        details["user_info"] = .object(notification.payload)
        return details
    }
}
