/// A product that works for one app.
package protocol FirebaseComponent: AnyObject, Sendable {
    init(app: FirebaseApp)
    /// The app is gone: stop.
    func appDeleted()
}

/// A product that wants to start by itself when an app is configured.
package protocol SelfStartingComponent {
    static func appConfigured(_ app: FirebaseApp)
}

/// The self-starting products that are linked into this process.
///
/// Core cannot import them, and Swift runs nothing at load; so they are looked up by the mangled names of their
/// starters. A product that is not linked is not found, and that is all.
enum LinkedComponents {
    private static let names = ["17FirebaseMessaging16MessagingStarterO"]

    static var all: [any SelfStartingComponent.Type] {
        names.compactMap { _typeByName($0) as? any SelfStartingComponent.Type }
    }
}
