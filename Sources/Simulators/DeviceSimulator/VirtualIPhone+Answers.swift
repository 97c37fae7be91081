import FirebasePlatform
import JSON
import Synchronization

/// What the user does with notifications on the screen. All that the app hears happens on the phone's main thread.
///
/// Source: Apple, "Declaring your actionable notification types", "Handling notifications and notification-related
/// actions".
extension VirtualIPhone {
    /// `UNUserNotificationCenter.setNotificationCategories(_:)`: these take the place of those before. The system keeps
    /// them while the app is installed.
    public func setNotificationCategories(_ categories: [NotificationCategory]) {
        state.withLock { $0.categories = categories }
    }

    /// The user taps a notification: the app opens and gets the response.
    /// - Parameter identifier: Its identifier or message id; `nil` for the newest.
    /// - Returns: Whether there was such a notification.
    public func tap(_ identifier: String?) async throws(Failure) -> Bool {
        guard let notification = state.withLock({ $0.tray.take(identifier) }) else { return false }
        if !isRunning { try await launch(foreground: false, tapped: notification.payload) }
        await onMain { [self] in
            // The app is on its way to the foreground: not active yet.
            inContainer { appState.move(to: .inactive) }
            respond(to: notification, .open)
        }
        await moveToForeground()
        return true
    }

    /// The user puts a notification away. The app hears of it only if it asked to for the category of the notification;
    /// then the system starts it in the background if need be, and otherwise leaves it where it is.
    /// - Parameter identifier: Its identifier or message id; `nil` for the newest.
    /// - Returns: Whether there was such a notification.
    public func dismiss(_ identifier: String?) async throws(Failure) -> Bool {
        guard let notification = state.withLock({ $0.tray.take(identifier) }) else { return false }
        await onMain { [self] in
            report(.dismissed, messageID: notification.messageID, ["identifier": .string(notification.identifier)])
        }
        let tellsApp = state.withLock { state in
            state.categories.contains { $0.identifier == notification.category && $0.hasCustomDismissAction }
        }
        guard tellsApp else { return true }
        if !isRunning { try await launch(foreground: false) }
        await onMain { [self] in respond(to: notification, .dismiss) }
        return true
    }

    private func respond(to notification: ShownNotification, _ action: NotificationAction) {
        let message: IncomingMessage =
            switch action {
            case .open: .received(notification.entries)
            case .dismiss: .dismissed(notification.entries)
            }
        hand(message) { $0.didReceiveResponse(to: notification, action: action) }
        var details = details(of: notification)
        details["action_identifier"] = .string(action.rawValue)
        report(.didReceiveResponse, messageID: notification.messageID, details)
    }
}

extension ShownNotification {
    /// `gcm.message_id`.
    var messageID: String? { payload["gcm.message_id"]?.string }

    var entries: [String: PayloadValue] { PayloadValue.entries(payload.userInfo) }
}
