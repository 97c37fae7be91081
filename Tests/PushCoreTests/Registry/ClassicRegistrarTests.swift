import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Classic registration` {
    let world = RegistryWorld()

    @Test func `gives a token that begins with the installation id`() async throws {
        let request = try await world.request()
        let (registration, token) = try await world.classic.register(request)
        #expect(token.hasPrefix(request.appInstance + ":APA91b"))
        #expect(registration.app == RegistryWorld.app.id)
        let address = APNsAddress(
            token: APNsDeviceToken(hex: String(repeating: "ab", count: 32))!, environment: .sandbox)
        #expect(registration.channel == .apple(address))
    }

    @Test func `gives the same token again, and another one after a deletion`() async throws {
        let request = try await world.request()
        let first = try await world.classic.register(request).token
        #expect(try await world.classic.register(request).token == first)
        try await world.classic.unregister(request)
        #expect(try await world.classic.register(request).token != first)
    }

    @Test func `treats the deletion of something unknown as done`() async throws {
        let request = try await world.request()
        try await world.classic.unregister(request)
    }

    @Test func `deletes all registrations of the instance for a wildcard`() async throws {
        var request = try await world.request()
        let registration = try await world.classic.register(request).registration
        request.sender = "*"
        request.scope = "*"
        try await world.classic.unregister(request)
        #expect(try world.store.registration(registration.id)?.ending == .deletedByApp)
    }

    @Test func `gives a client that sends no instance id the same token again`() async throws {
        var request = try await world.request()
        request.appInstance = ""
        request.firebaseAppID = ""
        request.installationAuth = ""
        request.apnsToken = ""
        request.isApple = false
        let first = try await world.classic.register(request).token
        #expect(try await world.classic.register(request).token == first)
        request.app = "another.app"
        #expect(try await world.classic.register(request).token != first)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var error: ClassicRegistrationError
        var change: @Sendable (inout ClassicRegistration) -> Void

        init(
            _ name: String, _ error: ClassicRegistrationError,
            _ change: @escaping @Sendable (inout ClassicRegistration) -> Void
        ) {
            testDescription = name
            self.error = error
            self.change = change
        }
    }

    static let refused = [
        Row("no credentials", .authenticationFailed) { $0.device = nil },
        Row("unknown device", .phoneRegistrationError) {
            $0.device = DeviceCredentials(androidID: 7, securityToken: 7)
        },
        Row("device 0", .phoneRegistrationError) { $0.device = DeviceCredentials(androidID: 0, securityToken: 0) },
        Row("wrong security token", .authenticationFailed) { request in
            request.device = request.device.map {
                DeviceCredentials(androidID: $0.androidID, securityToken: $0.securityToken ^ 1)
            }
        },
        Row("another device in the form", .phoneRegistrationError) { $0.deviceField = "0" },
        Row("no app", .invalidParameters) { $0.app = "" },
        Row("long app", .invalidParameters) { $0.app = String(repeating: "a", count: 256) },
        Row("no sender", .invalidSender) { $0.sender = "" },
        Row("unknown sender", .invalidSender) { $0.sender = "999999999999" },
        Row("sender with a tail", .invalidSender) { $0.sender += "," },
        Row("sender that is text", .invalidSender) { $0.sender = "me" },
        Row("a key that is no point", .invalidSender) { $0.sender = String(repeating: "A", count: 87) },
        Row("no auth token", .installationAuthError) { $0.installationAuth = "" },
        Row("a forged auth token", .installationAuthError) { $0.installationAuth += "x" },
        Row("another installation", .installationAuthError) { $0.appInstance = "cSNFZ4mrze8BI0VniavN7w" },
        Row("another app of the project", .invalidParameters) {
            $0.firebaseAppID = "1:123456789012:ios:ffff"
        },
        Row("an app id that is none", .invalidParameters) { $0.firebaseAppID = "1:x" },
        Row("another bundle", .invalidParameters) { $0.app = "com.example.other" },
        Row("an APNs token without its environment", .invalidParameters) { $0.apnsToken = "abcd" },
        Row("an APNs token that is not hex", .invalidParameters) { $0.apnsToken = "s_xyz" },
        Row("an empty APNs token", .invalidParameters) { $0.apnsToken = "p_" },
    ]

    @Test(arguments: refused) func `is refused with the documented code`(row: Row) async throws {
        var request = try await world.request()
        row.change(&request)
        await #expect(throws: row.error) { try await world.classic.register(request) }
    }

    @Test func `says that it is not available when the store is not`() async throws {
        let request = try await world.request()
        world.store.breakDown()
        await #expect(throws: ClassicRegistrationError.serviceNotAvailable) {
            try await world.classic.register(request)
        }
    }

    @Test func `lets a browser register for a key that no project owns`() async throws {
        var request = try await world.request()
        request.sender = ClassicRegistrar.defaultBrowserKey
        request.app = "org.chromium.linux"
        request.subtype = "wp:https://example.com/#1-V2"
        request.appInstance = ""
        request.firebaseAppID = ""
        request.installationAuth = ""
        request.apnsToken = ""
        request.isApple = false
        let (registration, token) = try await world.classic.register(request)
        #expect(registration.project == ClassicRegistrar.noProject)
        #expect(registration.channel == .device)
        #expect(token.prefix { $0 != ":" }.utf8.count == 11)
    }
}

@Suite struct `App instances of others` {
    let world = RegistryWorld()

    /// Another device that knows the app instance's id, and nothing else of it.
    private func stranger(after request: ClassicRegistration) async throws -> ClassicRegistration {
        guard case .admitted(let device) = try await world.checkIn.checkIn(nil) else {
            throw StoreError.notFound("device")
        }
        var stranger = request
        stranger.device = device
        stranger.deviceField = String(device.androidID)
        stranger.firebaseAppID = ""
        stranger.installationAuth = ""
        stranger.apnsToken = ""
        stranger.isApple = false
        return stranger
    }

    @Test func `are not registered without the proof of their installation, whatever the platform`() async throws {
        let request = try await world.request()
        let token = try await world.classic.register(request).token
        let stranger = try await stranger(after: request)
        await #expect(throws: ClassicRegistrationError.installationAuthError) {
            try await world.classic.register(stranger)
        }
        #expect(try await world.classic.register(request).token == token)
    }

    @Test func `are not taken before they have registered`() async throws {
        let stranger = try await stranger(after: try await world.request())
        await #expect(throws: ClassicRegistrationError.installationAuthError) {
            try await world.classic.register(stranger)
        }
    }

    @Test func `of the oldest clients stay with their device, and another one starts over`() async throws {
        var request = try await stranger(after: try await world.request())
        request.appInstance = "cAAAAAAAAAA"
        let token = try await world.classic.register(request).token
        let stranger = try await stranger(after: request)
        await #expect(throws: ClassicRegistrationError.identityReset) { try await world.classic.register(stranger) }
        #expect(ClassicRegistrationError.identityReset.code == "RST")
        #expect(try await world.classic.register(request).token == token)
        try await world.classic.unregister(request)
        _ = try await world.classic.register(stranger)
    }

    @Test func `do not pass to an installation of another project`() async throws {
        let request = try await world.request()
        _ = try await world.classic.register(request)
        // The same id in a project of the stranger's own, whose app has the same bundle id.
        let grant = try await world.installations.create(
            wanted: request.appInstance, app: RegistryWorld.foreignApp, sdkVersion: "i:12.0.0")
        #expect(grant.installation.fid.text == request.appInstance)
        var stranger = try await stranger(after: request)
        stranger.firebaseAppID = RegistryWorld.foreignApp.id.text
        stranger.installationAuth = grant.authToken
        stranger.isApple = true
        stranger.apnsToken = "s_" + String(repeating: "cd", count: 32)
        await #expect(throws: ClassicRegistrationError.installationAuthError) {
            try await world.classic.register(stranger)
        }
        stranger.sender = RegistryWorld.foreignProject.number.description
        _ = try await world.classic.register(stranger)
    }

    @Test func `of another project register for this sender, and move with their device`() async throws {
        let grant = try await world.installations.create(
            wanted: "", app: RegistryWorld.foreignApp, sdkVersion: "i:12.0.0")
        var guest = try await world.request()
        guest.appInstance = grant.installation.fid.text
        guest.firebaseAppID = RegistryWorld.foreignApp.id.text
        guest.installationAuth = grant.authToken
        let registration = try await world.classic.register(guest).registration
        #expect(registration.project == RegistryWorld.project.number)
        #expect(registration.app == RegistryWorld.foreignApp.id)
        // The device checked in anew, and the app still has its installation.
        let anew = try await stranger(after: guest)
        guest.device = anew.device
        guest.deviceField = anew.deviceField
        _ = try await world.classic.register(guest)
    }
}
