#if canImport(ObjectiveC)
    public import FirebaseCore
    public import Foundation

    /// `InstallationsAuthTokenResult` for Objective-C.
    @objc(FIRInstallationsAuthTokenResult)
    public final class ObjCInstallationsAuthTokenResult: NSObject, Sendable {
        private let result: InstallationsAuthTokenResult

        init(_ result: InstallationsAuthTokenResult) {
            self.result = result
        }

        @objc public var authToken: String { result.authToken }
        @objc public var expirationDate: Date { result.expirationDate }
    }

    /// `Installations` for Objective-C.
    @objc(FIRInstallations)
    public final class ObjCInstallations: NSObject, FirebaseComponent {
        private let installations: Installations

        package init(app: FirebaseApp) {
            installations = Installations.installations(app: app)
        }

        private init(_ installations: Installations) {
            self.installations = installations
        }

        package func appDeleted() {}

        @objc
        public static func installations() -> ObjCInstallations {
            FirebaseApp.app()?.component(ObjCInstallations.self) ?? ObjCInstallations(Installations.installations())
        }

        @objc(installationsWithApp:)
        public static func installations(app: ObjCApp) -> ObjCInstallations {
            app.app.component(ObjCInstallations.self)
        }

        @objc(installationIDWithCompletion:)
        public func installationID(completion: @escaping (String?, (any Error)?) -> Void) {
            installations.installationID(completion: completion)
        }

        @objc(authTokenWithCompletion:)
        public func authToken(completion: @escaping (ObjCInstallationsAuthTokenResult?, (any Error)?) -> Void) {
            installations.authToken { completion($0.map(ObjCInstallationsAuthTokenResult.init), $1) }
        }

        @objc(authTokenForcingRefresh:completion:)
        public func authTokenForcingRefresh(
            _ forceRefresh: Bool, completion: @escaping (ObjCInstallationsAuthTokenResult?, (any Error)?) -> Void
        ) {
            installations.authTokenForcingRefresh(forceRefresh) {
                completion($0.map(ObjCInstallationsAuthTokenResult.init), $1)
            }
        }

        @objc(deleteWithCompletion:)
        public func delete(completion: @escaping ((any Error)?) -> Void) {
            installations.delete(completion: completion)
        }
    }
#endif
