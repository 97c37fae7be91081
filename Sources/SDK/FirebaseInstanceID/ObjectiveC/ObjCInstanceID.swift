#if canImport(ObjectiveC)
    public import Foundation

    /// `InstanceIDAPNSTokenType` for Objective-C.
    @objc(FIRInstanceIDAPNSTokenType)
    public enum ObjCInstanceIDAPNSTokenType: Int {
        case unknown = 0
        case sandbox = 1
        case prod = 2
    }

    /// The numbers of `InstanceIDError` for Objective-C.
    @objc(FIRInstanceIDError)
    public enum ObjCInstanceIDError: Int {
        case unknown = 0
        case authentication = 1
        case noAccess = 2
        case timeout = 3
        case network = 4
        case operationInProgress = 5
        case invalidRequest = 7
    }

    /// `InstanceIDResult` for Objective-C.
    @objc(FIRInstanceIDResult)
    public final class ObjCInstanceIDResult: NSObject, NSCopying, Sendable {
        @objc public let instanceID: String
        @objc public let token: String

        init(instanceID: String, token: String) {
            self.instanceID = instanceID
            self.token = token
        }

        @objc(copyWithZone:)
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// `InstanceID` for Objective-C.
    @available(*, deprecated, message: "Use FIRMessaging for tokens and FIRInstallations for the id.")
    @objc(FIRInstanceID)
    public final class ObjCInstanceID: NSObject, Sendable {
        private let instance: InstanceID

        private init(_ instance: InstanceID) {
            self.instance = instance
        }

        @objc
        public static func instanceID() -> ObjCInstanceID { ObjCInstanceID(InstanceID.instanceID()) }

        @objc
        public func token() -> String? { instance.token() }

        @objc(setAPNSToken:type:)
        public func setAPNSToken(_ token: Data, type: ObjCInstanceIDAPNSTokenType) {
            instance.setAPNSToken(token, type: InstanceIDAPNSTokenType(rawValue: type.rawValue) ?? .unknown)
        }

        @objc(instanceIDWithHandler:)
        public func instanceID(handler: @escaping (ObjCInstanceIDResult?, (any Error)?) -> Void) {
            instance.instanceID { result, error in
                handler(result.map { ObjCInstanceIDResult(instanceID: $0.instanceID, token: $0.token) }, error)
            }
        }

        @objc(tokenWithAuthorizedEntity:scope:options:handler:)
        public func token(
            withAuthorizedEntity authorizedEntity: String, scope: String, options: [AnyHashable: Any]?,
            handler: @escaping (String?, (any Error)?) -> Void
        ) {
            instance.token(
                withAuthorizedEntity: authorizedEntity, scope: scope, options: options, handler: handler)
        }

        @objc(deleteTokenWithAuthorizedEntity:scope:handler:)
        public func deleteToken(
            withAuthorizedEntity authorizedEntity: String, scope: String,
            handler: @escaping ((any Error)?) -> Void
        ) {
            instance.deleteToken(withAuthorizedEntity: authorizedEntity, scope: scope, handler: handler)
        }

        @objc(getIDWithHandler:)
        public func getID(handler: @escaping (String?, (any Error)?) -> Void) { instance.getID(handler: handler) }

        @objc(deleteIDWithHandler:)
        public func deleteID(handler: @escaping ((any Error)?) -> Void) { instance.deleteID(handler: handler) }
    }
#endif
