public import PushModel
public import Timekeeping

/// Devices, installations and registrations. Reads see every write that has returned; writes are durable when they
/// return.
public protocol RegistrationStore: Sendable {
    // MARK: Devices (check-in)

    /// Keeps what a device says of itself, for it and for what it registered.
    func noteLocale(_ locale: DeviceLocale, of androidID: UInt64) async throws(StoreError)
    func addDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError)
    /// Whether the pair is one that check-in gave out, compared in constant time; notes the time of the visit.
    func confirmDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) -> Bool
    /// As `confirmDevice` without noting the visit: for requests that only prove who they are.
    func isDevice(_ device: DeviceCredentials) throws(StoreError) -> Bool
    /// Whether the id is known at all.
    func knowsDevice(androidID: UInt64) throws(StoreError) -> Bool

    // MARK: Installations

    /// Creates the installation or, for the same app, gives it a new refresh token.
    /// - Throws: `StoreError.conflict` when another app of the project has the FID.
    func putInstallation(_ installation: Installation) async throws(StoreError)
    func installation(_ fid: FirebaseInstallationID, in project: ProjectNumber) throws(StoreError) -> Installation?
    /// Deletes the installation and ends its registrations. `false` when there is none.
    func deleteInstallation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Bool

    // MARK: Registrations

    /// Creates or renews the registration of the draft's key and ends those that it replaces: live registrations of
    /// other app instances (or, without a FID, other devices) of the same project and bundle with the same APNs token.
    ///
    /// A renewal keeps the row number and the token, unless the registration had ended or its app instance moved to
    /// another device. An Apple draft without an address keeps the address and the time of its confirmation.
    /// - Throws: `StoreError.notFound` for an unknown project. Number 0 stands for no project.
    func register(_ draft: RegistrationDraft) async throws(StoreError) -> Registration
    func registration(_ id: RegistrationID) throws(StoreError) -> Registration?
    /// The live registration of a FID, newest first when several kinds exist.
    func registration(fid: String, in project: ProjectNumber) throws(StoreError) -> Registration?
    /// Whether the FID ever belonged to an installation or registration of the project, ended ones included.
    func hasKnown(fid: String, in project: ProjectNumber) throws(StoreError) -> Bool
    /// Ends one registration. Ending an ended one changes nothing.
    func end(_ id: RegistrationID, _ ending: Registration.Ending, at time: Timestamp) async throws(StoreError)
    /// Ends the registration because APNs disowned its token, unless the app confirmed the token after `invalidAt`.
    /// - Parameter invalidAt: APNs' timestamp; `nil` when APNs gave none, then the registration ends in any case.
    /// - Returns: Whether it was ended.
    func endUnregistered(
        _ id: RegistrationID, address: APNsAddress, invalidAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> Bool
    /// Notes that an APNs token belongs to the other environment.
    func setEnvironment(_ environment: APNsEnvironment, of id: RegistrationID) async throws(StoreError)
    /// Ends what the filter names. Unknown is no error.
    /// - Returns: How many were ended.
    func endRegistrations(_ filter: RegistrationFilter, at time: Timestamp) async throws(StoreError) -> Int
}

extension RegistrationStore {
    /// For stores that know nothing of languages and time zones.
    public func noteLocale(_ locale: DeviceLocale, of androidID: UInt64) async throws(StoreError) {}
}

/// What a registration request says. The key is (project, kind of registration, FID or device, bundle, sender,
/// subtype, scope): the same key renews, another one adds.
public struct RegistrationDraft: Sendable, Equatable {
    public var project: ProjectNumber
    public var app: AppID?
    public var fid: String
    public var bundleID: String
    public var channel: Registration.Channel
    public var isFIDMode: Bool
    public var androidID: UInt64
    /// The sender, subtype and scope of a classic registration; empty in FID mode.
    public var sender: String
    public var subtype: String
    public var scope: String
    public var appVersion: String
    public var sdkVersion: String
    /// What the request tells of the device's language and time zone; `nil` leaves it to the check-in.
    public var locale: DeviceLocale?
    public var time: Timestamp
    /// Random; becomes part of the token when the registration is new or was ended.
    public var freshNonce: UInt64

    public init(
        project: ProjectNumber, app: AppID?, fid: String, bundleID: String, channel: Registration.Channel,
        isFIDMode: Bool, androidID: UInt64, sender: String = "", subtype: String = "", scope: String = "",
        appVersion: String = "", sdkVersion: String = "", locale: DeviceLocale? = nil, time: Timestamp,
        freshNonce: UInt64
    ) {
        self.project = project
        self.app = app
        self.fid = fid
        self.bundleID = bundleID
        self.channel = channel
        self.isFIDMode = isFIDMode
        self.androidID = androidID
        self.sender = sender
        self.subtype = subtype
        self.scope = scope
        self.appVersion = appVersion
        self.sdkVersion = sdkVersion
        self.locale = locale
        self.time = time
        self.freshNonce = freshNonce
    }
}

/// Which registrations a deletion names. `nil` matches all, but a filter that names nothing matches nothing.
public struct RegistrationFilter: Sendable, Equatable {
    public var project: ProjectNumber?
    public var androidID: UInt64?
    public var bundleID: String?
    public var fid: String?
    public var sender: String?
    public var scope: String?

    public init(
        project: ProjectNumber? = nil, androidID: UInt64? = nil, bundleID: String? = nil, fid: String? = nil,
        sender: String? = nil, scope: String? = nil
    ) {
        self.project = project
        self.androidID = androidID
        self.bundleID = bundleID
        self.fid = fid
        self.sender = sender
        self.scope = scope
    }
}
