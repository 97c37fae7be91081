public import FirebaseCore

/// The name of `FirebaseApp` in versions 3.
@available(*, deprecated, renamed: "FirebaseApp")
public typealias FIRApp = FirebaseApp

/// The name of `FirebaseOptions` in versions 3.
@available(*, deprecated, renamed: "FirebaseOptions")
public typealias FIROptions = FirebaseOptions

/// The name of `FirebaseConfiguration` in versions 3.
@available(*, deprecated, renamed: "FirebaseConfiguration")
public typealias FIRConfiguration = FirebaseConfiguration

/// The name of `FirebaseLoggerLevel` in versions 3.
@available(*, deprecated, renamed: "FirebaseLoggerLevel")
public typealias FIRLoggerLevel = FirebaseLoggerLevel

/// Told whether the app was there to delete.
@available(*, deprecated, message: "Write the closure type out: (Bool) -> Void.")
public typealias FIRAppVoidBoolCallback = (_ success: Bool) -> Void

extension FirebaseApp {
    @available(*, deprecated, renamed: "app()")
    public static func defaultApp() -> FirebaseApp? { app() }

    @available(*, deprecated, renamed: "configure(options:)")
    public static func configure(with options: FirebaseOptions) { configure(options: options) }

    @available(*, deprecated, renamed: "configure(name:options:)")
    public static func configure(withName name: String, options: FirebaseOptions) {
        configure(name: name, options: options)
    }

    @available(*, deprecated, renamed: "delete(_:)")
    public func deleteApp(_ completion: @escaping (Bool) -> Void) { delete(completion) }
}

/// Lets an app be written as `FIRApp(named:)`, the way Swift 3 saw its method: only a protocol can make an initialiser that
/// gives an object which is there already.
public protocol AppFoundByName {
    /// The app of that name, if it is configured.
    static func app(name: String) -> Self?
}

extension AppFoundByName {
    @available(*, deprecated, message: "Use FirebaseApp.app(name:) instead.")
    public init?(named name: String) {
        guard let app = Self.app(name: name) else { return nil }
        self = app
    }
}

extension FirebaseApp: AppFoundByName {}

extension FirebaseOptions {
    @available(*, deprecated, renamed: "defaultOptions()")
    public static func `default`() -> FirebaseOptions? { defaultOptions() }
}
