import Bytes
import PushCore
import PushModel

/// The numbers of a draft's texts.
struct DraftTexts {
    let app, bundle, sender, scope, appVersion, sdkVersion: Int64
    /// `nil` when it is the sender, as it is for most clients.
    let subtype: String?

    init(_ draft: RegistrationDraft, in context: WriteContext) throws(StoreError) {
        let (table, connection) = (context.texts, context.connection)
        app = try table.id(of: draft.app?.text ?? "", on: connection)
        bundle = try table.id(of: draft.bundleID, on: connection)
        sender = try table.id(of: draft.sender, on: connection)
        scope = try table.id(of: draft.scope, on: connection)
        appVersion = try table.id(of: draft.appVersion, on: connection)
        sdkVersion = try table.id(of: draft.sdkVersion, on: connection)
        subtype = draft.subtype == draft.sender ? nil : draft.subtype
    }
}

extension RegistrationDraft {
    var kind: RegistrationKind { RegistrationKind(channel, isFIDMode: isFIDMode) }

    /// The Apple address that the app confirms with this request.
    var address: APNsAddress? {
        if case .apple(let address) = channel { address } else { nil }
    }

    /// Whether the request says where the app is reached. An Apple app may register before it knows.
    var confirmsAddress: Bool {
        if case .apple(nil) = channel { false } else { true }
    }
}

extension APNsAddress {
    /// The token as it is stored.
    var tokenBytes: [UInt8] { Hex.decode(token.hex) ?? [] }
}
