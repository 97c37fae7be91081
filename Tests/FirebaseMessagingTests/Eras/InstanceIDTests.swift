import Firebase
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Instance ID` {
    @Test func `is one object for each app`() throws {
        let phone = try TestPhone.launched()
        #expect(phone.instance === phone.instance)
    }

    @Test func `gives messaging's token at once, and asks for one when there is none`() throws {
        let phone = try TestPhone.launched(["FirebaseMessagingAutoInitEnabled": .bool(false)])
        #expect(phone.instance.token() == nil)
        phone.drain()
        #expect(phone.instance.token() == phone.storedToken?.token)
        #expect(phone.instance.token() != nil)
    }

    @Test func `gives the installation id, and asks for the token too`() throws {
        let phone = try TestPhone.launched(["FirebaseMessagingAutoInitEnabled": .bool(false)])
        let ids = Record<InstanceAnswer>()
        phone.instance.getID { ids.append(InstanceAnswer($0, $1)) }
        phone.drain()
        #expect(ids.entries == [.text(try phone.installationID())])
        #expect(phone.storedToken != nil)
    }

    @Test func `gives id and token together`() throws {
        let phone = try TestPhone.launched()
        let id = try phone.installationID()
        let results = Record<InstanceIDAndToken>()
        phone.instance.result { result, _ in result.map(results.append) }
        phone.drain()
        let token = try #require(phone.storedToken?.token)
        #expect(results.entries == [InstanceIDAndToken(id: id, token: token, equalsItsCopy: true)])
    }

    @Test func `says that the APNs token is missing with 1001`() throws {
        let phone = try TestPhone.launched(registers: false)
        let answers = Record<InstanceAnswer>()
        phone.instance.result { answers.append(InstanceAnswer($0?.token, $1)) }
        phone.drain()
        #expect(answers.entries == [.instance(1001)])
    }

    @Test func `calls back on main`() throws {
        let phone = try TestPhone.launched()
        let executor = phone.device.executor
        let onMain = Record<Bool>()
        phone.instance.getID { _, _ in onMain.append(executor.isCurrent) }
        phone.instance.result { _, _ in onMain.append(executor.isCurrent) }
        phone.instance.token(withAuthorizedEntity: "", scope: "*", options: nil) { _, _ in
            onMain.append(executor.isCurrent)
        }
        phone.instance.deleteToken(withAuthorizedEntity: "1", scope: "*") { _ in onMain.append(executor.isCurrent) }
        phone.instance.deleteID { _ in onMain.append(executor.isCurrent) }
        #expect(onMain.entries.isEmpty)
        phone.drain()
        #expect(onMain.entries == [true, true, true, true, true])
    }

    @Test func `without an app every call ends with an error`() {
        let device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: TestPhone.bundleID))
        let container = FirebaseContainer(platform: device.platform)
        let failures = Record<Bool>()
        container.run {
            let instance = InstanceLibrary.names.current
            #expect(instance.token() == nil)
            instance.getID { failures.append($1 != nil) }
            instance.result { failures.append($1 != nil) }
            instance.token(withAuthorizedEntity: "1", scope: "*", options: nil) { failures.append($1 != nil) }
            instance.deleteToken(withAuthorizedEntity: "1", scope: "*") { failures.append($0 != nil) }
            instance.deleteID { failures.append($0 != nil) }
        }
        device.executor.drain()
        #expect(failures.entries == [true, true, true, true, true])
    }

    @Test func `posts the default token whenever it changes`() throws {
        let phone = try TestPhone.launched()
        let token = phone.storedToken?.token
        phone.instance.deleteToken(withAuthorizedEntity: TestPhone.sender, scope: "*") { _ in }
        phone.drain()
        let posted = phone.device.notifications.record.entries.filter { $0.name == InstanceLibrary.names.refreshed }
        #expect(posted.map { $0.object as? String } == [token, nil])
    }

    @Test func `sets the device token with its environment`() throws {
        let phone = try TestPhone.launched(registers: false)
        phone.instance.setDeviceToken(TestPhone.deviceToken, isSandbox: true)
        phone.drain()
        #expect(phone.lastRegister?.field("apns_token") == "s_\(TestPhone.hex)")
        phone.instance.setDeviceToken(TestPhone.deviceToken, isSandbox: false)
        phone.drain()
        #expect(phone.lastRegister?.field("apns_token") == "p_\(TestPhone.hex)")
        #expect(InstanceLibrary.names.tokenTypes == [0, 1, 2])
    }
}

@Suite struct `Instance ID tokens of any entity and scope` {
    @Test func `the default entity and scope are messaging's own token`() throws {
        let phone = try TestPhone.launched()
        #expect(phone.instanceToken().entries == [.text(try #require(phone.storedToken?.token))])
        #expect(phone.requests(.register).count == 1)
    }

    @Test func `other entities and scopes have tokens of their own`() throws {
        let phone = try TestPhone.launched()
        let all = [
            phone.instanceToken("42"), phone.instanceToken("42", scope: "chat"), phone.instanceToken("42"),
        ].map { $0.entries.first }
        #expect(Set(all).count == 2 && all[0] == all[2])
        #expect(phone.lastRegister?.field("X-scope") == "chat")
        #expect(phone.lastRegister?.field("sender") == "42")
    }

    @Test func `scope fcm in any case takes the device token of the options`() throws {
        let phone = try TestPhone.launched()
        let other = Data(repeating: 7, count: 32)
        let options: [AnyHashable: Any] = ["apns_token": other, "apns_sandbox": true, "ignored": 1]
        #expect(phone.instanceToken("42", scope: "FCM", options: options).entries.count == 1)
        #expect(phone.lastRegister?.field("X-scope") == InstanceLibrary.names.messagingScope)
        #expect(phone.lastRegister?.field("apns_token") == "s_" + String(repeating: "07", count: 32))
    }

    @Test func `scope * does without a device token, and is bound to the one that comes`() throws {
        let phone = try TestPhone.launched(["FirebaseMessagingAutoInitEnabled": .bool(false)], registers: false)
        guard case .text? = phone.instanceToken("42").entries.first else {
            Issue.record("no token")
            return
        }
        #expect(phone.lastRegister?.field("apns_token") == nil)
        phone.setAPNSToken()
        #expect(phone.lastRegister?.field("apns_token") == "p_\(TestPhone.hex)")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var entity = "42"
        var scope = "fcm"
        var token: DeviceToken = .none
        var code: Int
        enum DeviceToken { case none, text, empty }
    }

    @Test(arguments: [
        Refusal(testDescription: "no entity", entity: "", code: 1003),
        Refusal(testDescription: "no scope", scope: "", code: 1004),
        Refusal(testDescription: "fcm without device token", code: 1001),
        Refusal(testDescription: "fcm with a device token as text", token: .text, code: 7),
        Refusal(testDescription: "fcm with an empty device token", token: .empty, code: 7),
    ])
    func `what cannot be asked for is refused, and nothing is sent`(row: Refusal) throws {
        let phone = try TestPhone.launched(registers: false)
        let options: [AnyHashable: Any] =
            switch row.token {
            case .none: [:]
            case .text: ["apns_token": TestPhone.hex]
            case .empty: ["apns_token": Data()]
            }
        let answers = phone.instanceToken(row.entity, scope: row.scope, options: options)
        #expect(answers.entries == [.instance(row.code)])
        #expect(phone.requests(.register).isEmpty)
    }

    @Test(arguments: [("Error=RST", 2006), ("Error=INVALID_SENDER", 0), ("", 0)])
    func `the server's refusal has the numbers of this domain`(body: String, code: Int) throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        phone.service.override { request in
            request.kind == .register ? .success(WebResponse(status: 200, body: Array(body.utf8))) : nil
        }
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.instanceToken("42").entries == [.instance(code)])
    }

    @Test func `a failed check-in is 6, no network is the transport's error`() throws {
        let phone = try TestPhone.launched(["FirebaseMessagingAutoInitEnabled": .bool(false)])
        phone.device.files.fail(with: FileStoreError(reason: "disk full"))
        #expect(phone.instanceToken("42").entries == [.instance(6)])
        phone.service.override { _ in .failure(.notConnectedToInternet) }
        #expect(phone.instanceToken("42").entries == [.error(domain: "NSURLErrorDomain", code: -1009)])
    }

    @Test func `tokens are refused with 7 while the app registers with its installation id`() throws {
        let phone = try TestPhone.launched(TestPhone.fidMode, registers: false)
        #expect(phone.instanceToken("42").entries == [.instance(7)])
        #expect(phone.instance.token() == nil)
    }

    @Test func `deleting one leaves the others`() throws {
        let phone = try TestPhone.launched()
        _ = phone.instanceToken("42")
        let answers = Record<InstanceAnswer>()
        phone.instance.deleteToken(withAuthorizedEntity: "42", scope: "*") { answers.append(InstanceAnswer(nil, $0)) }
        phone.instance.deleteToken(withAuthorizedEntity: "", scope: "*") { answers.append(InstanceAnswer(nil, $0)) }
        phone.instance.deleteToken(withAuthorizedEntity: "1", scope: "") { answers.append(InstanceAnswer(nil, $0)) }
        phone.drain()
        #expect(Set(answers.entries) == [.nothing, .instance(1003), .instance(1004)])
        #expect(phone.stored("42") == nil && phone.storedToken != nil)
        #expect(phone.requests(.delete).map { $0.text.field("sender") } == ["42"])
    }
}

@Suite struct `Deleting the instance` {
    @Test func `takes tokens, check-in and id, and half a second later an app that wants to has new ones`() throws {
        let phone = try TestPhone.launched()
        let old = (id: try phone.installationID(), token: phone.storedToken?.token)
        let answers = Record<InstanceAnswer>()
        phone.instance.deleteID { answers.append(InstanceAnswer(nil, $0)) }
        phone.drain()
        #expect(answers.entries == [.nothing])
        #expect(phone.storedToken == nil)
        #expect(phone.requests(.delete).last?.text.field("iid-operation") == "delete")
        #expect(phone.delegate.calls.last == .token(nil))
        phone.wait(seconds: 0.4)
        #expect(phone.storedToken == nil)
        phone.wait(seconds: 0.1)
        let new = try #require(phone.storedToken?.token)
        #expect(new != old.token)
        #expect(try phone.installationID() != old.id)
        #expect(phone.requests(.checkIn).count == 2)
    }

    @Test func `an app that does not register by itself stays without`() throws {
        let phone = try TestPhone.launched(["FirebaseMessagingAutoInitEnabled": .bool(false)])
        _ = phone.instanceToken()
        phone.instance.deleteID { _ in }
        phone.drain()
        phone.wait(seconds: 1)
        #expect(phone.storedToken == nil && phone.device.clock.pendingDelays.isEmpty)
    }

    @Test func `a refusal of the server is told`() throws {
        let phone = try TestPhone.launched()
        phone.service.override { request in
            request.kind == .delete ? .success(WebResponse(status: 200, body: Array("Error=x".utf8))) : nil
        }
        let answers = Record<InstanceAnswer>()
        phone.instance.deleteID { answers.append(InstanceAnswer(nil, $0)) }
        phone.drain()
        #expect(answers.entries == [.instance(0)])
    }
}

@Suite struct `Errors of Instance ID` {
    @Test(arguments: [
        (InstanceIDError.unknown, 0), (.authentication, 1), (.noAccess, 2), (.timeout, 3), (.network, 4),
        (.operationInProgress, 5), (.invalidRequest, 7),
    ])
    func `have the numbers that people search for`(code: InstanceIDError.Code, number: Int) {
        let error = InstanceIDError(code, reason: "why")
        #expect(error.errorCode == number && code.rawValue == number)
        #expect(InstanceIDError.errorDomain == "com.firebase.iid")
        #expect(error.failureReason == "why")
    }

    @Test func `match in a catch`() {
        do {
            throw InstanceIDError(.network)
        } catch InstanceIDError.timeout {
            Issue.record("not that one")
        } catch InstanceIDError.network {
        } catch {
            Issue.record("no match")
        }
    }
}
