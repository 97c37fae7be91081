import FirebaseCore
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Rule 4 - a token is stored before it is answered` {
    @Test func `the completion finds it in the store`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        let stored = Record<String?>()
        phone.tokens.token { token, _ in stored.append(phone.storedToken?.token == token ? token : nil) }
        phone.drain()
        #expect(stored.entries.count == 1)
        #expect(stored.entries[0] != nil)
    }

    @Test func `a store that fails is the error of the call`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        let first = phone.token(of: "1")
        phone.drain()
        #expect(first.entries.count == 1)
        phone.device.secureStore.fail(reads: nil, writes: .missingEntitlement)
        let result = phone.token()
        phone.drain()
        guard case .failure(let error as SecureStoreError) = result.entries.first else {
            Issue.record("no store error")
            return
        }
        #expect(error.errorCode == -34018)
        #expect(SecureStoreError.errorDomain == "com.google.iid")
    }

    @Test func `a check-in that cannot be stored fails the call with 6`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        phone.device.files.fail(with: FileStoreError(reason: "disk full"))
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [6])
        #expect(phone.requests(.register).isEmpty)
    }
}

@Suite struct `Rule 5 - token operations keep their order` {
    @Test func `a delete after a get stays after it`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        let order = Record<String>()
        phone.tokens.token { token, _ in order.append("token \(token != nil)") }
        phone.tokens.deleteToken { order.append("deleted \($0 == nil)") }
        phone.tokens.token { token, _ in order.append("token \(token != nil)") }
        phone.drain()
        #expect(order.entries == ["token true", "deleted true", "token true"])
        let kinds = phone.device.transport.requests.map(\.kind)
        #expect(kinds.suffix(3) == [.register, .delete, .register])
        #expect(phone.requests(.register).count == 2)
        #expect(phone.storedToken != nil)
    }

    @Test func `equal requests are not merged, the second finds the first one's token`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        let first = phone.token()
        let second = phone.token()
        phone.drain()
        #expect(try first.entries.first?.get() == second.entries.first?.get())
        #expect(phone.requests(.register).count == 1)
    }

    @Test func `a fresh token does not wait for a slow request of another sender`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        phone.service.override { request in
            request.kind == .register
                ? .success(WebResponse(status: 200, body: Array("Error=PHONE_REGISTRATION_ERROR".utf8))) : nil
        }
        let slow = phone.token(of: "42")
        let quick = phone.token()
        phone.drain()
        #expect(slow.entries.isEmpty)
        #expect(quick.entries.count == 1)
    }
}

@Suite struct `Answers of the register call` {
    func phone(answering body: String, times: Int = .max) throws -> TestPhone {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        let count = Record<Int>()
        phone.service.override { request in
            guard request.kind == .register, count.entries.count < times else { return nil }
            count.append(1)
            return .success(WebResponse(status: 503, body: Array(body.utf8)))
        }
        try phone.launch()
        phone.setAPNSToken()
        return phone
    }

    @Test(arguments: [
        ("Error=INVALID_SENDER", 0, "INVALID_SENDER"), ("Error=RST", 2001, "RST"), ("", 0, "The reply is empty."),
        ("hello", 0, "The reply holds no token."), ("Error=TOO_MANY_REGISTRATIONS", 0, "TOO_MANY_REGISTRATIONS"),
    ])
    func `other words are errors with the word as reason`(body: String, code: Int, reason: String) throws {
        let phone = try phone(answering: body)
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [code])
        guard case .failure(let error as MessagingError) = result.entries.first else { return }
        #expect(error.failureReason == reason)
        #expect(phone.delegate.calls.isEmpty)
    }

    @Test func `PHONE_REGISTRATION_ERROR is tried again after 1, 2, 4 and more seconds`() throws {
        let phone = try phone(answering: "Error=PHONE_REGISTRATION_ERROR", times: 3)
        let result = phone.token()
        phone.drain()
        for delay in [1.0, 2, 4] {
            #expect(result.entries.isEmpty)
            #expect(phone.device.clock.pendingDelays == [delay])
            phone.wait(seconds: delay)
        }
        #expect(result.entries.count == 1)
        #expect(phone.requests(.register).count == 4)
    }

    @Test func `after ten tries PHONE_REGISTRATION_ERROR is error 0`() throws {
        let phone = try phone(answering: "Error=PHONE_REGISTRATION_ERROR")
        let result = phone.token()
        phone.drain()
        for retry in 0..<10 { phone.wait(seconds: Double(1 << retry)) }
        #expect(result.entries.map(\.messagingCode) == [0])
        #expect(phone.requests(.register).count == 11)
    }

    @Test func `a device that the server forgot checks in again, once`() throws {
        let phone = try phone(answering: "Error=AUTHENTICATION_FAILED", times: 1)
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [nil])
        #expect(phone.requests(.checkIn).count == 2)

        let hopeless = try self.phone(answering: "Error=AUTHENTICATION_FAILED")
        let failed = hopeless.token()
        hopeless.drain()
        #expect(failed.entries.map(\.messagingCode) == [0])
        #expect(hopeless.requests(.register).count == 2)
    }

    @Test func `a refused installation token is renewed, once`() throws {
        let phone = try phone(answering: "Error=FIS_AUTH_ERROR", times: 1)
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [nil])
        #expect(phone.requests(.authToken).count == 1)

        let hopeless = try self.phone(answering: "Error=FIS_AUTH_ERROR")
        let failed = hopeless.token()
        hopeless.drain()
        #expect(failed.entries.map(\.messagingCode) == [0])
    }

    @Test func `no network is the transport's error`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        phone.service.override { $0.kind == .register ? .failure(.timedOut) : nil }
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.webCode) == [-1001])
        phone.service.override { $0.kind == .checkIn || $0.kind == .register ? .failure(.notConnectedToInternet) : nil }
        phone.device.clock.advance(seconds: 604_800)
        let offline = phone.token()
        phone.drain()
        #expect(offline.entries.map(\.webCode) == [-1009])
    }

    @Test func `the registration at start goes on trying until the network is there`() throws {
        let phone = TestPhone()
        phone.service.override { _ in .failure(.notConnectedToInternet) }
        try phone.launch()
        phone.setAPNSToken()
        for delay in [1.0, 2, 4, 8, 16, 32, 32] {
            #expect(phone.device.clock.pendingDelays == [delay])
            phone.wait(seconds: delay)
        }
        phone.service.endOverrides()
        phone.wait(seconds: 32)
        #expect(phone.delegate.calls == [.token(phone.storedToken?.token)])
        #expect(phone.storedToken != nil)
        #expect(phone.device.clock.pendingDelays.isEmpty)
    }

    @Test func `deleting the app ends a registration that keeps trying`() async throws {
        let phone = TestPhone()
        phone.service.override { _ in .failure(.notConnectedToInternet) }
        try phone.launch()
        phone.setAPNSToken()
        await phone.container.app?.delete()
        phone.wait(seconds: 1)
        #expect(phone.device.clock.pendingDelays.isEmpty)
    }

    @Test func `a check-in that the server no longer knows becomes a new one`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        phone.device.clock.advance(seconds: 604_800)
        phone.service.override { request in
            request.kind == .checkIn && !request.text.contains(#""id":0"#) ? .success(WebResponse(status: 401)) : nil
        }
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [nil])
        #expect(phone.requests(.checkIn).count == 3)
    }
}

@Suite struct `Deleting` {
    @Test func `sends a delete even when nothing is stored, and tells nil only if something was known`() throws {
        let phone = TestPhone()
        try phone.launch()
        let result = phone.call { $0.tokens.deleteToken(completion: $1) }
        phone.drain()
        #expect(result.entries.count == 1 && result.entries[0] == nil)
        #expect(phone.requests(.delete).count == 1)
        #expect(phone.delegate.calls.isEmpty)
    }

    @Test func `a failed delete forgets the token here all the same`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        phone.service.override { request in
            request.kind == .delete ? .success(WebResponse(status: 200, body: Array("Error=x".utf8))) : nil
        }
        let result = phone.call { $0.tokens.deleteToken(completion: $1) }
        phone.drain()
        #expect((result.entries.first as? MessagingError)?.code == .unknown)
        #expect(phone.storedToken == nil)
        #expect(phone.delegate.calls.last == .token(nil))
    }

    @Test func `the token of another sender goes without a word to the delegate`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        _ = phone.token(of: "42")
        phone.drain()
        _ = phone.call { $0.tokens.deleteFCMToken(forSenderID: "42", completion: $1) }
        phone.drain()
        #expect(phone.stored("42") == nil)
        #expect(phone.storedToken != nil)
        #expect(phone.delegate.calls.count == 1)
    }

    @Test func `an empty sender is refused at once`() throws {
        let phone = TestPhone()
        try phone.launch()
        #expect(phone.token(of: "").entries.map(\.messagingCode) == [502])
        let result = phone.call { $0.tokens.deleteFCMToken(forSenderID: "", completion: $1) }
        #expect((result.entries.first as? MessagingError)?.code == .invalidRequest)
    }

    @Test func `deleteData forgets everything, tells nil, and then the new token before it completes`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let old = phone.storedToken?.token
        let order = Record<String>()
        let told = phone.delegate.record.observe { order.append("\($0)") }
        phone.messaging.deleteData { order.append("completion \($0 == nil)") }
        phone.drain()
        told.cancel()
        let new = try #require(phone.storedToken?.token)
        #expect(new != old)
        #expect(order.entries == ["token(nil)", "\(RecordingDelegate.Call.token(new))", "completion true"])
        #expect(phone.requests(.checkIn).count == 2)
    }

    @Test func `deleteData without a check-in sends nothing and succeeds`() throws {
        let phone = TestPhone()
        try phone.launch()
        let result = phone.call { $0.deleteData(completion: $1) }
        phone.drain()
        #expect(result.entries.count == 1 && result.entries[0] == nil)
        #expect(phone.requests(.delete).isEmpty)
    }

    @Test func `the async calls do the same`() async throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let messaging = phone.messaging
        let token = try await messaging.tokens.token()
        #expect(token == phone.storedToken?.token)
    }
}
