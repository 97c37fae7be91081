import FirebaseCore
import FirebasePlatform
import JSON
import Testing

@testable import FirebaseInstallations

@Suite struct `The life of an installation` {
    @Test func `its id is there before the server knows it, and stays`() throws {
        let test = try TestInstallation()
        let id = try #require(test.id().0)
        #expect(InstallationID.isValid(id))
        #expect(test.id().0 == id)
        #expect(test.changes == 1)
        let again = try TestInstallation(device: test.device.relaunched())
        #expect(again.id().0 == id)
    }

    @Test func `it registers behind the scenes with exactly this request`() throws {
        let test = try TestInstallation()
        test.answerNormally()
        let id = try #require(test.id().0)
        let request = try #require(test.device.transport.requests.first)
        #expect(request.method == "POST")
        #expect(request.url == "https://firebaseinstallations.googleapis.com/v1/projects/demo-pharos/installations/")
        #expect(
            request.headers.prefix(3) == [
                .init("Content-Type", "application/json"), .init("X-Goog-Api-Key", TestInstallation.apiKey),
                .init("X-Ios-Bundle-Identifier", "com.example.pushdemo"),
            ])
        #expect(request.headers.dropFirst(3).map(\.name) == ["X-firebase-client"])
        let body =
            #"{"fid":"\#(id)","authVersion":"FIS_v2","appId":"\#(TestInstallation.appID)","sdkVersion":"i:\#(sdkVersion)"}"#
        #expect(String(decoding: request.body, as: UTF8.self) == body)
        #expect(test.device.transport.requests.count == 1)
    }

    @Test func `PLI-05 without a project id the sender id is in the path`() throws {
        let test = try TestInstallation(projectID: nil)
        test.answerNormally()
        _ = test.token()
        #expect(test.device.transport.requests.first?.url.contains("/projects/123456789012/installations") == true)
    }

    @Test func `without project and sender nothing is sent`() throws {
        let test = try TestInstallation(projectID: "", gcmSenderID: "")
        test.answerNormally()
        #expect(test.token().entries.first?.code == .invalidConfiguration)
        #expect(test.device.transport.requests.isEmpty)
    }

    @Test func `a token is kept until an hour before its end`() throws {
        let test = try TestInstallation()
        test.answerNormally()
        #expect(test.token().entries == [.success("auth-1")])
        test.device.clock.advance(seconds: 604_800 - 3600)
        #expect(test.token().entries == [.success("auth-1")])
        #expect(test.device.transport.requests.count == 1)
        test.device.clock.advance(seconds: 1)
        #expect(test.token().entries == [.success("auth-2")])
        let id = try #require(test.id().0)
        let request = try #require(test.device.transport.requests.last)
        #expect(request.url.hasSuffix("/v1/projects/demo-pharos/installations/\(id)/authTokens:generate"))
        #expect(request.headers[3] == .init("Authorization", "FIS_v2 refresh-1"))
        #expect(
            String(decoding: request.body, as: UTF8.self) == #"{"installation":{"sdkVersion":"i:\#(sdkVersion)"}}"#)
    }

    @Test func `a forced refresh asks again`() throws {
        let test = try TestInstallation()
        test.answerNormally()
        #expect(test.token().entries == [.success("auth-1")])
        #expect(test.token(force: true).entries == [.success("auth-2")])
        #expect(test.token().entries == [.success("auth-2")])
    }

    @Test func `the server may choose another id`() throws {
        let test = try TestInstallation()
        test.device.transport.answer { _ in .success(TestInstallation.created("dBBBBBBBBBBBBBBBBBBBBB")) }
        #expect(test.id().0 != "dBBBBBBBBBBBBBBBBBBBBB")
        #expect(test.id().0 == "dBBBBBBBBBBBBBBBBBBBBB")
        #expect(test.changes == 2)
    }

    @Test(arguments: [401, 404]) func `an installation that the server forgot is replaced`(status: Int) throws {
        let test = try TestInstallation()
        test.answerNormally()
        _ = test.token()
        let id = test.id().0
        test.device.transport.answer { request in
            if request.url.hasSuffix(":generate") { return .success(WebResponse(status: status)) }
            return .success(TestInstallation.created(token: "auth-new"))
        }
        #expect(test.token(force: true).entries == [.success("auth-new")])
        #expect(test.id().0 != id)
        #expect(test.changes == 2)
    }

    @Test func `deleting tells the server, forgets everything and announces it`() throws {
        let test = try TestInstallation()
        test.answerNormally()
        _ = test.token()
        let id = try #require(test.id().0)
        #expect(test.delete().entries == [nil])
        let request = try #require(test.device.transport.requests.last)
        #expect(request.method == "DELETE")
        #expect(request.url.hasSuffix("/installations/\(id)/"))
        #expect(request.headers.last == .init("Authorization", "FIS_v2 refresh-1"))
        #expect(request.body == Array("{}".utf8))
        #expect(test.device.secureStore.items.isEmpty)
        #expect(test.changes == 2)
        #expect(test.device.notifications.record.entries.last?.userInfo.keys.first == InstallationIDDidChangeAppNameKey)
        #expect(test.id().0 != id)
    }

    @Test func `deleting what never was registered sends nothing`() throws {
        let test = try TestInstallation()
        _ = test.id()
        let before = test.device.transport.requests.count
        #expect(test.delete().entries == [nil])
        #expect(test.device.transport.requests.count == before)
    }

    @Test(
        arguments: [
            (200, nil), (204, nil), (404, nil), (401, nil), (403, .invalidConfiguration), (503, .serverUnreachable),
        ]
            as [(Int, InstallationsErrorCode.Code?)])
    func `deleting succeeds when the server knows nothing any more`(
        status: Int, code: InstallationsErrorCode.Code?
    ) throws {
        let test = try TestInstallation()
        test.answerNormally()
        _ = test.token()
        test.device.transport.answer { _ in .success(WebResponse(status: status)) }
        #expect(test.delete().entries.first??.code == code)
        #expect(test.device.secureStore.items.isEmpty == (code == nil))
    }

    @Test func `a reinstall makes a new id`() throws {
        let test = try TestInstallation()
        let id = try #require(test.id().0)
        let again = try TestInstallation(device: test.device.reinstalled())
        #expect(again.id().0 != id)
    }

    @Test func `the id of the Instance ID library is taken over with its token`() throws {
        struct Legacy: LegacyIdentitySource {
            let forgotten = Record<Bool>()
            func instanceID() -> String? { "f_________8" }
            func defaultToken() -> String? { "f_________8:APA91bold" }
            func forget() { forgotten.append(true) }
        }
        let legacy = Legacy()
        var device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: "com.example.pushdemo"))
        device.legacyIdentity = legacy
        let test = try TestInstallation(device: device)
        test.answerNormally()
        #expect(test.id().0 == "f_________8")
        #expect(
            test.device.transport.requests.first?.headers.last
                == .init("x-goog-fis-ios-iid-migration-auth", "f_________8:APA91bold"))
        _ = test.delete()
        #expect(legacy.forgotten.entries == [true])
    }

    @Test func `two apps on one device have two ids`() throws {
        let test = try TestInstallation()
        let options = FirebaseOptions(googleAppID: "1:2:ios:ab", gcmSenderID: "2")
        options.apiKey = TestInstallation.apiKey
        let other = Installations.installations(app: try test.container.configure(name: "two", options: options))
        #expect(try other.currentID().get() != test.id().0)
    }
}

@Suite struct `Failures of an installation` {
    @Test(arguments: [
        (400, InstallationsErrorCode.Code.invalidConfiguration), (403, .invalidConfiguration),
        (429, .serverUnreachable), (503, .serverUnreachable), (418, .unknown), (409, .unknown),
    ])
    func `a status becomes a code, and the next call waits`(status: Int, code: InstallationsErrorCode.Code) throws {
        let test = try TestInstallation()
        test.device.transport.answer { _ in .success(WebResponse(status: status)) }
        #expect(test.token().entries.first?.code == code)
        let sent = test.device.transport.requests.count
        #expect(test.token().entries.first?.code == .serverUnreachable)
        #expect(test.device.transport.requests.count == sent)
        test.answerNormally()
        test.device.clock.advance(seconds: code == .invalidConfiguration ? 86400 : 3)
        #expect(test.token().entries == [.success("auth-1")])
    }

    @Test func `a 500 gets a second chance after a second`() throws {
        let test = try TestInstallation()
        test.device.transport.answer { _ in .success(WebResponse(status: 500)) }
        let result = test.token()
        #expect(result.entries.isEmpty)
        test.answerNormally()
        test.device.clock.advance(seconds: 1)
        test.device.executor.drain()
        #expect(result.entries == [.success("auth-1")])
    }

    @Test func `no network is error 2 and does not make the next call wait`() throws {
        let test = try TestInstallation()
        #expect(test.token().entries.first?.code == .serverUnreachable)
        test.answerNormally()
        #expect(test.token().entries == [.success("auth-1")])
    }

    @Test func `a store that cannot be read is error 1 and makes no new id`() throws {
        let test = try TestInstallation()
        let id = test.id().0
        let again = try TestInstallation(device: test.device.relaunched())
        again.device.secureStore.fail(reads: .interactionNotAllowed, writes: .interactionNotAllowed)
        #expect((again.id().1 as? InstallationsErrorCode)?.code == .keychain)
        again.device.secureStore.fail(reads: nil, writes: nil)
        #expect(again.id().0 == id)
    }

    @Test func `without an app every call says so`() async throws {
        let device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: "b"))
        let container = FirebaseContainer(platform: device.platform)
        let installations = container.run { Installations.installations() }
        await #expect(throws: InstallationsErrorCode.self) { try await installations.installationID() }
        await #expect(throws: InstallationsErrorCode.self) { try await installations.authToken() }
        await #expect(throws: InstallationsErrorCode.self) { try await installations.delete() }
        let failure = Record<Bool>()
        installations.delete { failure.append($0 is InstallationsErrorCode) }
        device.executor.drain()
        #expect(failure.entries == [true])
    }

    @Test func `codes can be caught by name`() {
        do {
            throw InstallationsErrorCode(.keychain)
        } catch InstallationsErrorCode.keychain {
        } catch {
            Issue.record("not caught")
        }
        #expect(InstallationsErrorCode.errorDomain == "com.firebase.installations")
    }
}
