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

extension FirebaseOptions {
    @available(*, deprecated, renamed: "defaultOptions()")
    public static func `default`() -> FirebaseOptions? { defaultOptions() }
}
