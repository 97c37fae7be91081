import FirebaseCore
import FirebasePlatform

/// What the app's own server is told of messages when the app links no analytics module: the same moments, by the same
/// rules.
///
/// Google's servers are told nothing here. An app that does not want data to be collected reports nothing.
enum MessageReports {
    static func report(_ message: ReceivedMessage, state: AppState, of app: FirebaseApp) {
        if let kind = kind(of: message, state: state) { report(kind, of: message, to: app) }
    }

    static func reportDismissal(of message: ReceivedMessage, to app: FirebaseApp) {
        if MessageAnalytics.allows(message) { report(.dismissed, of: message, to: app) }
    }

    private static func report(_ kind: MessageEvent.Kind, of message: ReceivedMessage, to app: FirebaseApp) {
        guard app.optionsValues.serverURL != nil, app.isDataCollectionDefaultEnabled, let container = app.container,
            let event = try? MessageEvent(kind, of: message, appInfo: app.platform.appInfo)
        else { return }
        EventOutbox.of(container).add(event)
    }

    static func kind(of message: ReceivedMessage, state: AppState) -> MessageEvent.Kind? {
        guard MessageAnalytics.allows(message) else { return nil }
        return switch state {
        case .active: .receivedInForeground
        case .inactive, .background: message.hasAlert ? .opened : nil
        case .absent: nil
        }
    }
}
