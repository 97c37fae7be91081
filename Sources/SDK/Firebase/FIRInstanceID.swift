public import FirebaseInstanceID

/// The name of `InstanceID` in version 1.
@available(*, deprecated, renamed: "InstanceID")
public typealias FIRInstanceID = InstanceID

/// The name of `InstanceIDAPNSTokenType` in version 1.
@available(*, deprecated, renamed: "InstanceIDAPNSTokenType")
public typealias FIRInstanceIDAPNSTokenType = InstanceIDAPNSTokenType

/// The name of `InstanceIDError` in version 1.
@available(*, deprecated, renamed: "InstanceIDError")
public typealias FIRInstanceIDError = InstanceIDError

/// The name of `InstanceIDTokenHandler` in version 1.
@available(*, deprecated, renamed: "InstanceIDTokenHandler")
public typealias FIRInstanceIDTokenHandler = InstanceIDTokenHandler

/// The name of `InstanceIDDeleteTokenHandler` in version 1.
@available(*, deprecated, renamed: "InstanceIDDeleteTokenHandler")
public typealias FIRInstanceIDDeleteTokenHandler = InstanceIDDeleteTokenHandler

/// The name of `InstanceIDHandler` in version 1.
@available(*, deprecated, renamed: "InstanceIDHandler")
public typealias FIRInstanceIDHandler = InstanceIDHandler

/// The name of `InstanceIDDeleteHandler` in version 1.
@available(*, deprecated, renamed: "InstanceIDDeleteHandler")
public typealias FIRInstanceIDDeleteHandler = InstanceIDDeleteHandler

/// The name of `InstanceIDScopeFirebaseMessaging` in version 1.
@available(*, deprecated, renamed: "InstanceIDScopeFirebaseMessaging")
public let kFIRInstanceIDScopeFirebaseMessaging = "fcm"

@available(*, deprecated)
extension InstanceID {
    @available(*, deprecated, renamed: "token(withAuthorizedEntity:scope:options:handler:)")
    public func tokenWithAuthorizedEntity(
        _ authorizedEntity: String, scope: String, options: [AnyHashable: Any]?,
        handler: @escaping InstanceIDTokenHandler
    ) {
        token(withAuthorizedEntity: authorizedEntity, scope: scope, options: options, handler: handler)
    }

    @available(*, deprecated, renamed: "deleteToken(withAuthorizedEntity:scope:handler:)")
    public func deleteTokenWithAuthorizedEntity(
        _ authorizedEntity: String, scope: String, handler: @escaping InstanceIDDeleteTokenHandler
    ) {
        deleteToken(withAuthorizedEntity: authorizedEntity, scope: scope, handler: handler)
    }

    @available(*, deprecated, renamed: "getID(handler:)")
    public func getIDWithHandler(_ handler: @escaping InstanceIDHandler) { getID(handler: handler) }

    @available(*, deprecated, renamed: "deleteID(handler:)")
    public func deleteIDWithHandler(_ handler: @escaping InstanceIDDeleteHandler) { deleteID(handler: handler) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated)
extension InstanceIDAPNSTokenType {
    @available(*, deprecated, renamed: "unknown")
    public static var Unknown: Self { .unknown }

    @available(*, deprecated, renamed: "sandbox")
    public static var Sandbox: Self { .sandbox }

    @available(*, deprecated, renamed: "prod")
    public static var Prod: Self { .prod }
}
