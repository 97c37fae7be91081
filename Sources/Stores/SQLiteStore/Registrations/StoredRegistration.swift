import PushCore
import PushModel
import Timekeeping

/// What renewing needs to know of a registration that is there already.
struct StoredRegistration {
    var id: Int64
    var nonce: UInt64
    var androidID: UInt64
    var createdAt: Timestamp
    var confirmedAt: Timestamp
    var address: APNsAddress?
    var isLive: Bool

    /// The columns that `init` reads, in its order.
    init(_ row: Row) {
        id = row.integer(0)
        nonce = UInt64(bitPattern: row.integer(1))
        androidID = UInt64(bitPattern: row.integer(2))
        createdAt = Timestamp(milliseconds: row.integer(3))
        confirmedAt = Timestamp(milliseconds: row.integer(4))
        if let token = APNsDeviceToken(bytes: row.blob(5)),
            let environment = APNsEnvironment(code: row.integer(6))
        {
            address = APNsAddress(token: token, environment: environment)
        }
        isLive = row.isNull(7)
    }

    /// The registration after a request of the app: what to write and to answer.
    ///
    /// It keeps its token unless it had ended or the app instance moved to another device: then a token that the old
    /// device or an old sender still holds must not reach it. An Apple app that does not know its APNs token yet
    /// confirms nothing and keeps the address that it confirmed before.
    func renewed(by draft: RegistrationDraft) -> StoredRegistration {
        var renewed = self
        let hasMoved = androidID != 0 && draft.androidID != 0 && androidID != draft.androidID
        if !isLive || hasMoved { renewed.nonce = draft.freshNonce }
        if !isLive { renewed.address = nil }
        if draft.androidID != 0 { renewed.androidID = draft.androidID }
        if draft.confirmsAddress {
            renewed.address = draft.address
            renewed.confirmedAt = draft.time
        }
        renewed.isLive = true
        return renewed
    }

    /// A registration that is not there yet.
    init(new draft: RegistrationDraft) {
        id = 0
        nonce = draft.freshNonce
        androidID = draft.androidID
        createdAt = draft.time
        confirmedAt = draft.time
        address = draft.address
        isLive = true
    }

    /// The value that callers get.
    func registration(of draft: RegistrationDraft) -> Registration {
        var channel = draft.channel
        if case .apple = channel { channel = .apple(address) }
        return Registration(
            id: RegistrationID(value: id), project: draft.project, app: draft.app, fid: draft.fid,
            bundleID: draft.bundleID, channel: channel, isFIDMode: draft.isFIDMode, tokenNonce: nonce,
            androidID: androidID, appVersion: draft.appVersion, sdkVersion: draft.sdkVersion, createdAt: createdAt,
            confirmedAt: confirmedAt, ending: nil, sender: draft.sender, subtype: draft.subtype)
    }
}
