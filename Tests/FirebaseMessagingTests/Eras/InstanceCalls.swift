import Firebase
import FirebasePlatform
import Foundation

@testable import FirebaseMessaging

/// The calls of the Instance ID library. They are deprecated: this protocol stands between, so that tests are not.
protocol InstanceCalls: AnyObject {
    func token() -> String?
    func getID(handler: @escaping (String?, (any Error)?) -> Void)
    func deleteID(handler: @escaping ((any Error)?) -> Void)
    func token(
        withAuthorizedEntity authorizedEntity: String, scope: String, options: [AnyHashable: Any]?,
        handler: @escaping (String?, (any Error)?) -> Void)
    func deleteToken(
        withAuthorizedEntity authorizedEntity: String, scope: String, handler: @escaping ((any Error)?) -> Void)
    func result(handler: @escaping (InstanceIDAndToken?, (any Error)?) -> Void)
    func setDeviceToken(_ token: Data, isSandbox: Bool?)
}

/// What `InstanceIDResult` holds.
struct InstanceIDAndToken: Sendable, Equatable {
    var id: String
    var token: String
    var equalsItsCopy: Bool
}

@available(*, deprecated)
extension InstanceID: InstanceCalls {
    func result(handler: @escaping (InstanceIDAndToken?, (any Error)?) -> Void) {
        instanceID { result, error in
            let both = result.map {
                InstanceIDAndToken(
                    id: $0.instanceID, token: $0.token,
                    equalsItsCopy: $0 == $0.copy() && $0.hashValue == $0.copy().hashValue)
            }
            handler(both, error)
        }
    }

    func setDeviceToken(_ token: Data, isSandbox: Bool?) {
        let type: InstanceIDAPNSTokenType =
            switch isSandbox {
            case true?: .sandbox
            case false?: .prod
            case nil: .unknown
            }
        setAPNSToken(token, type: type)
    }
}

/// The names of the library that stand alone.
protocol InstanceNames: Sendable {
    var current: any InstanceCalls { get }
    var refreshed: NotificationName { get }
    var messagingScope: String { get }
    var tokenTypes: [Int] { get }
}

struct InstanceLibrary: InstanceNames {
    @available(*, deprecated)
    var current: any InstanceCalls { InstanceID.instanceID() }
    @available(*, deprecated)
    var refreshed: NotificationName { .InstanceIDTokenRefresh }
    @available(*, deprecated)
    var messagingScope: String { InstanceIDScopeFirebaseMessaging }
    @available(*, deprecated)
    var tokenTypes: [Int] { [InstanceIDAPNSTokenType.unknown, .sandbox, .prod].map(\.rawValue) }

    static let names: any InstanceNames = InstanceLibrary()
}

/// What a call of the library answered.
enum InstanceAnswer: Sendable, Hashable {
    case text(String)
    case error(domain: String, code: Int)
    case nothing

    init(_ text: String?, _ error: (any Error)?) {
        if let error = error as? any CodedError {
            self = .error(domain: type(of: error).errorDomain, code: error.errorCode)
        } else {
            self = text.map(Self.text) ?? .nothing
        }
    }

    static func instance(_ code: Int) -> Self { .error(domain: "com.firebase.iid", code: code) }
}

extension TestPhone {
    var instance: any InstanceCalls { container.run { InstanceLibrary.names.current } }

    func instanceToken(
        _ entity: String = TestPhone.sender, scope: String = "*", options: [AnyHashable: Any]? = nil
    ) -> Record<InstanceAnswer> {
        let answers = Record<InstanceAnswer>()
        instance.token(withAuthorizedEntity: entity, scope: scope, options: options) {
            answers.append(InstanceAnswer($0, $1))
        }
        drain()
        return answers
    }

    static func launched(_ infoPlist: [String: PlistValue] = [:], registers: Bool = true) throws -> TestPhone {
        let phone = TestPhone(infoPlist: infoPlist)
        try phone.launch()
        if registers { phone.setAPNSToken() }
        return phone
    }

    var lastRegister: String? { requests(.register).last?.text }
}
