import FirebaseCore

/// Starts messaging when the default app is configured. `FirebaseCore` finds this type by its name.
enum MessagingStarter: SelfStartingComponent {
    static func appConfigured(_ app: FirebaseApp) {
        guard app.isDefault else { return }
        _ = Messaging.started(for: app)
    }
}
