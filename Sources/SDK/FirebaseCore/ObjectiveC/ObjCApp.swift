#if canImport(ObjectiveC)
    public import Foundation

    /// `FirebaseApp` for Objective-C.
    @objc(FIRApp)
    public final class ObjCApp: NSObject, FirebaseComponent {
        package let app: FirebaseApp

        package init(app: FirebaseApp) {
            self.app = app
        }

        package func appDeleted() {}

        private static func shown(_ app: FirebaseApp) -> ObjCApp { app.component(ObjCApp.self) }

        @objc
        public static func configure() { FirebaseApp.configure() }

        @objc(configureWithOptions:)
        public static func configure(options: ObjCOptions) { FirebaseApp.configure(options: options.options) }

        @objc(configureWithName:options:)
        public static func configure(name: String, options: ObjCOptions) {
            FirebaseApp.configure(name: name, options: options.options)
        }

        @objc
        public static func defaultApp() -> ObjCApp? { FirebaseApp.app().map(shown) }

        @objc(appNamed:)
        public static func app(name: String) -> ObjCApp? { FirebaseApp.app(name: name).map(shown) }

        @objc
        public static var allApps: [String: ObjCApp]? { FirebaseApp.allApps?.mapValues(shown) }

        @objc
        public var name: String { app.name }

        @objc
        public var options: ObjCOptions { ObjCOptions(app.options) }

        @objc(deleteApp:)
        public func delete(_ completion: @escaping (Bool) -> Void) { app.delete(completion) }

        @objc(dataCollectionDefaultEnabled)
        public var dataCollectionDefaultEnabled: Bool {
            @objc(isDataCollectionDefaultEnabled) get { app.isDataCollectionDefaultEnabled }
            @objc(setDataCollectionDefaultEnabled:) set { app.isDataCollectionDefaultEnabled = newValue }
        }
    }
#endif
