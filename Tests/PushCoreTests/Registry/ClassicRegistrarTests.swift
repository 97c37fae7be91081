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
