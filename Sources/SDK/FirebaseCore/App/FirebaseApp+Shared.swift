extension FirebaseApp {
    /// Configures the default app from the main bundle's `GoogleService-Info.plist`.
    ///
    /// A bad configuration is logged with the name of the key and leaves the app unconfigured: every later call ends
    /// with that error. `FirebaseContainer.configure()` throws it instead.
    public static func configure() {
        _ = try? required("configure()").configure()
    }

    public static func configure(options: FirebaseOptions) {
        _ = try? required("configure(options:)").configure(options: options)
    }

    public static func configure(name: String, options: FirebaseOptions) {
        _ = try? required("configure(name:options:)").configure(name: name, options: options)
    }

    /// The default app. Logs when it is not configured yet.
    public static func app() -> FirebaseApp? {
        guard let container = FirebaseContainer.current else { return nil }
        if let app = container.app { return app }
        container.log.notice(
            "I-COR000003", "The default Firebase app has not been configured yet: call FirebaseApp.configure() first.")
        return nil
    }

    public static func app(name: String) -> FirebaseApp? {
        FirebaseContainer.current?.app(name: name)
    }

    /// Every configured app by name, `nil` when there is none.
    public static var allApps: [String: FirebaseApp]? {
        guard let apps = FirebaseContainer.current?.allApps, !apps.isEmpty else { return nil }
        return apps
    }

    private static func required(_ call: String) -> FirebaseContainer {
        guard let container = FirebaseContainer.current else {
            preconditionFailure(
                "FirebaseApp.\(call) needs a platform: call Platform.install(_:) first, "
                    + "or run inside FirebaseContainer.run(_:).")
        }
        return container
    }
}
