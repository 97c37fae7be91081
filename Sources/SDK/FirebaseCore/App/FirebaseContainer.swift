public import FirebasePlatform
import Synchronization

/// The apps of one device: what a process on a phone has exactly once, and a host of virtual phones many times.
///
/// `FirebaseApp.configure()`, `Messaging.messaging()` and the other shared objects ask for the `current` container:
/// the one whose `run` surrounds the caller, else the one of the process, made from `Platform.installed`. Callbacks
/// into the app run inside their own container's `run`, so app code written for one phone works unchanged on each of
/// many. A container holds its apps strongly; letting
/// go of it ends them.
public final class FirebaseContainer: Sendable {
    public let platform: Platform

    struct State {
        var apps: [String: FirebaseApp] = [:]
        var failure: FirebaseConfigurationError?
        var parts: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        var minimumLevel = LogLevel.notice
    }

    let state = Mutex(State())

    public init(platform: Platform) {
        self.platform = platform
    }

    deinit {
        for app in state.withLock(\.apps).values { app.end() }
    }

    @TaskLocal private static var surrounding: FirebaseContainer?
    private static let processWide = Mutex<FirebaseContainer?>(nil)

    /// The container that static API uses here. `nil` when none surrounds the caller and no platform is installed.
    public static var current: FirebaseContainer? {
        if let surrounding { return surrounding }
        guard let platform = Platform.installed ?? HostPlatform.install() else { return nil }
        return processWide.withLock { container in
            if let container { return container }
            let made = FirebaseContainer(platform: platform)
            container = made
            return made
        }
    }

    /// Runs app code for which this container is the current one.
    public func run<Result>(_ work: () throws -> Result) rethrows -> Result {
        try Self.$surrounding.withValue(self, operation: work)
    }

    /// Runs app code for which this container is the current one; tasks started inside inherit that.
    public func perform<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await Self.$surrounding.withValue(self, operation: work)
    }
}

extension FirebaseContainer {
    /// Configures the default app from the main bundle's `GoogleService-Info.plist`.
    @discardableResult
    public func configure() throws(FirebaseConfigurationError) -> FirebaseApp {
        guard let bytes = platform.appInfo.configurationPlist(), let options = FirebaseOptions(plist: bytes) else {
            throw record(.missingFile)
        }
        return try configure(options: options)
    }

    /// Configures the default app.
    @discardableResult
    public func configure(options: FirebaseOptions) throws(FirebaseConfigurationError) -> FirebaseApp {
        try configure(name: FirebaseApp.defaultName, options: options)
    }

    /// Configures an app beside the default one. Messaging serves the default app only.
    @discardableResult
    public func configure(
        name: String, options: FirebaseOptions
    ) throws(FirebaseConfigurationError) -> FirebaseApp {
        guard FirebaseApp.isValidName(name) else { throw record(.invalidName(name)) }
        let values = options.values
        let endpoints: Endpoints
        do {
            endpoints = try OptionsCheck.check(values)
        } catch {
            throw record(error)
        }
        if let existing = app(name: name), platform.appInfo.isExtension, existing.optionsValues == values {
            return existing
        }
        let app = FirebaseApp(name: name, options: values, endpoints: endpoints, container: self)
        let added = state.withLock { state in
            guard state.apps[name] == nil else { return false }
            state.apps[name] = app
            state.failure = nil
            return true
        }
        guard added else { throw record(.alreadyConfigured(name: name)) }
        app.start()
        return app
    }

    /// The default app, `nil` before it is configured.
    public var app: FirebaseApp? { app(name: FirebaseApp.defaultName) }

    public func app(name: String) -> FirebaseApp? {
        state.withLock { $0.apps[name] }
    }

    public var allApps: [String: FirebaseApp] { state.withLock(\.apps) }

    /// Why the latest `configure` failed; `nil` when it did not.
    public var configurationFailure: FirebaseConfigurationError? { state.withLock(\.failure) }

    /// The object of that kind that the device has once, with or without an app; made on first use.
    package func part<Part: AnyObject & Sendable>(_ make: (FirebaseContainer) -> Part) -> Part {
        let key = ObjectIdentifier(Part.self)
        if let existing = state.withLock({ $0.parts[key] }) as? Part { return existing }
        let made = make(self)
        let kept = state.withLock { state in
            if let first = state.parts[key] { return first }
            state.parts[key] = made
            return made
        }
        return kept as? Part ?? made
    }

    func remove(_ app: FirebaseApp) -> Bool {
        state.withLock { state in
            guard state.apps[app.name] === app else { return false }
            state.apps[app.name] = nil
            return true
        }
    }

    private func record(_ failure: FirebaseConfigurationError) -> FirebaseConfigurationError {
        state.withLock { $0.failure = failure }
        log.error("I-COR000012", failure.message)
        return failure
    }
}
