import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Registering the installation id` {
    /// A phone in id mode that knows the service, before an APNs token came.
    func phone(autoInit: Bool = true) throws -> TestPhone {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        phone.device.appInfo.infoPlist["FirebaseMessagingAutoInitEnabled"] = .bool(autoInit)
        try phone.launch()
        try phone.installationID()
        return phone
    }

    @Test func `happens by itself with exactly this request`() throws {
        let phone = try phone()
        phone.setAPNSToken()
        let id = try phone.installationID()
        let request = try #require(phone.requests(.registration).first)
        #expect(request.method == "POST")
        #expect(request.url == "https://fcmregistrations.googleapis.com/v1/projects/demo-pharos/registrations")
        #expect(
            request.headers == [
                .init("Content-Type", "application/json"), .init("X-Goog-Api-Key", TestPhone.apiKey),
                .init("X-Goog-Firebase-Installations-Auth", "fis-auth"),
            ])
        let body =
            #"{"ios":{"apns_token":"\#(TestPhone.hex)","app_version":"1.2.3","apns_environment":"PROD","bundle_id":"com.example.pushdemo"},"fcm_sdk_version":"fcm-\#(sdkVersion)"}"#
        #expect(request.text == body)
        #expect(phone.delegate.calls == [.registration(id)])
        #expect(phone.refreshes == [id])
        #expect(phone.requests(.checkIn).isEmpty)
        #expect(phone.tokens.fcmToken == nil)
    }

    @Test func `register tells the id before it completes, even an unchanged one`() throws {
        let phone = try phone(autoInit: false)
        phone.setAPNSToken()
        #expect(phone.requests(.registration).isEmpty)
        let id = try phone.installationID()
        let order = Record<String>()
        let told = phone.delegate.record.observe { order.append("\($0)") }
        phone.messaging.register { order.append("completion \($0 == nil)") }
        phone.drain()
        phone.messaging.register { order.append("completion \($0 == nil)") }
        phone.drain()
        told.cancel()
        let call = "\(RecordingDelegate.Call.registration(id))"
        #expect(order.entries == [call, "completion true", call, "completion true"])
        #expect(phone.requests(.registration).count == 1)
    }

    @Test func `register without an APNs token is 505`() throws {
        let phone = try phone()
        let result = phone.call { $0.register(completion: $1) }
        #expect(result.entries.isEmpty)
        phone.drain()
        #expect((result.entries.first as? MessagingError)?.errorCode == 505)
    }

    @Test func `register without a sender is 502 at once`() throws {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        try phone.launch(sender: "")
        let result = phone.call { $0.register(completion: $1) }
        #expect((result.entries.first as? MessagingError)?.errorCode == 502)
    }

    @Test func `each start tells the registration once`() throws {
        let phone = try phone()
        phone.setAPNSToken()
        let id = try phone.installationID()
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.delegate.calls == [.registration(id), .registration(id)])
        #expect(phone.requests(.registration).count == 1)
    }

    @Test func `a stored token of token mode leads to a registration`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let id = try phone.installationID()
        phone.device.appInfo.infoPlist = TestPhone.fidMode
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.delegate.calls.last == .registration(id))
        #expect(phone.storedToken?.kind == .installationID)
    }

    @Test func `a new installation id is registered again`() throws {
        let phone = try phone()
        phone.setAPNSToken()
        let old = try phone.installationID()
        Installations.installations(app: phone.container.app!).delete { _ in }
        phone.drain()
        // The first try named the old id, because the service was not told yet.
        let new = try phone.installationID()
        #expect(new != old)
        let result = phone.call { $0.register(completion: $1) }
        phone.drain()
        #expect(result.entries.count == 1 && result.entries[0] == nil)
        #expect(phone.storedToken?.token == new)
        #expect(phone.delegate.calls.last == .registration(new))
        #expect(phone.logCodes.contains("I-FCM002030") || phone.requests(.registration).count > 1)
    }

    @Test func `unregister tells nil, then the old id, and then completes`() throws {
        let phone = try phone()
        phone.setAPNSToken()
        let id = try phone.installationID()
        let order = Record<String>()
        let told = phone.delegate.record.observe { order.append("\($0)") }
        phone.messaging.unregister { order.append("completion \($0 == nil)") }
        phone.drain()
        told.cancel()
        let expected = [
            "\(RecordingDelegate.Call.registration(nil))", "\(RecordingDelegate.Call.unregistered(id))",
            "completion true",
        ]
        #expect(order.entries == expected)
        let request = try #require(phone.requests(.unregistration).first)
        #expect(request.method == "DELETE")
        #expect(
            request.url == "https://fcmregistrations.googleapis.com/v1/projects/demo-pharos/registrations/\(id)")
        #expect(request.headers.map(\.name) == ["X-Goog-Api-Key", "X-Goog-Firebase-Installations-Auth"])
        #expect(request.body.isEmpty)
        let posted = phone.device.notifications.record.entries.last { $0.name == .messagingInstallationIdUnregistered }
        #expect(posted?.object as? String == id)
    }

    @Test(arguments: [(200, nil), (404, nil), (204, 0), (403, 0)] as [(Int, Int?)])
    func `unregistering what the server does not know is done`(status: Int, code: Int?) throws {
        let phone = try phone()
        phone.setAPNSToken()
        phone.service.override { $0.kind == .unregistration ? .success(WebResponse(status: status)) : nil }
        let result = phone.call { $0.unregister(completion: $1) }
        phone.drain()
        #expect((result.entries.first as? MessagingError)?.errorCode == code)
        #expect(phone.storedToken == nil)
    }

    @Test func `deleteData unregisters too`() throws {
        let phone = try phone(autoInit: false)
        phone.setAPNSToken()
        phone.messaging.register { _ in }
        phone.drain()
        let result = phone.call { $0.deleteData(completion: $1) }
        phone.drain()
        #expect(result.entries.count == 1 && result.entries[0] == nil)
        #expect(phone.requests(.unregistration).count == 1)
        #expect(phone.delegate.calls.last == .registration(nil))
    }
}

@Suite struct `Rule 7 - the APIs of the other mode` {
    @Test func `token APIs are refused with 7 at once in id mode`() throws {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        try phone.launch()
        #expect(phone.token().entries.map(\.messagingCode) == [7])
        #expect(phone.token(of: "42").entries.map(\.messagingCode) == [7])
        let deletions = [
            phone.call { $0.tokens.deleteToken(completion: $1) },
            phone.call { $0.tokens.deleteFCMToken(forSenderID: "42", completion: $1) },
        ]
        for deletion in deletions { #expect((deletion.entries.first as? MessagingError)?.errorCode == 7) }
        #expect(phone.logCodes.contains("I-FCM002027"))
    }

    @Test func `registration APIs are refused with 7 at once in token mode`() throws {
        let phone = TestPhone()
        try phone.launch()
        for result in [phone.call { $0.register(completion: $1) }, phone.call { $0.unregister(completion: $1) }] {
            #expect((result.entries.first as? MessagingError)?.errorCode == 7)
        }
        #expect(phone.logCodes.contains("I-FCM002028"))
    }

    @Test func `the async calls are refused too`() async throws {
        let classic = TestPhone()
        try classic.launch()
        let messaging = classic.messaging
        await #expect(throws: MessagingError.self) { try await messaging.register() }
        await #expect(throws: MessagingError.self) { try await messaging.unregister() }
        let modern = TestPhone(infoPlist: TestPhone.fidMode)
        try modern.launch()
        let other = modern.messaging
        await #expect(throws: MessagingError.self) { try await other.tokens.token() }
        await #expect(throws: MessagingError.self) { try await other.tokens.deleteToken() }
    }
}

@Suite struct `Answers of the registration call` {
    func phone(_ answer: @escaping FakeService.Override) throws -> TestPhone {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        phone.device.appInfo.infoPlist["FirebaseMessagingAutoInitEnabled"] = .bool(false)
        phone.service.override { $0.kind == .registration ? await answer($0) : nil }
        try phone.launch()
        phone.setAPNSToken()
        try phone.installationID()
        return phone
    }

    @Test(arguments: [
        WebResponse(status: 400, body: Array("bad".utf8)), WebResponse(status: 404), WebResponse(status: 204),
        WebResponse(status: 200), WebResponse(status: 200, body: Array("{}".utf8)),
        WebResponse(status: 200, body: Array(#"{"name":7}"#.utf8)),
        WebResponse(status: 200, body: Array(#"{"name":"projects/1/registrations/"}"#.utf8)),
        WebResponse(status: 200, body: Array(#"{"name":"projects/1/registrations/a/b"}"#.utf8)),
        WebResponse(status: 200, body: Array(#"{"name":"projects/1/registrations/dBBBBBBBBBBBBBBBBBBBBB"}"#.utf8)),
    ])
    func `anything but 200 or 201 with our name is error 0`(response: WebResponse) throws {
        let phone = try phone { _ in .success(response) }
        let result = phone.call { $0.register(completion: $1) }
        phone.drain()
        #expect((result.entries.first as? MessagingError)?.errorCode == 0)
        #expect(phone.storedToken == nil)
        #expect(phone.delegate.calls.isEmpty)
    }

    @Test func `201 succeeds`() throws {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        try phone.launch()
        let id = try phone.installationID()
        phone.service.override { request in
            guard request.kind == .registration else { return nil }
            return .success(WebResponse(status: 201, body: Array(#"{"name":"projects/1/registrations/\#(id)"}"#.utf8)))
        }
        phone.setAPNSToken()
        #expect(phone.storedToken?.token == id)
    }

    @Test func `5xx and a lost network are tried again up to ten times`() throws {
        let phone = try phone { _ in .success(WebResponse(status: 503)) }
        let result = phone.call { $0.register(completion: $1) }
        phone.drain()
        for retry in 0..<10 {
            #expect(phone.device.clock.pendingDelays == [Double(1 << retry)])
            if retry == 4 { phone.service.override { $0.kind == .registration ? .failure(.timedOut) : nil } }
            phone.wait(seconds: Double(1 << retry))
        }
        #expect((result.entries.first as? WebError) == .timedOut)
        #expect(phone.requests(.registration).count == 11)
    }

    @Test func `a refused auth token is renewed once`() throws {
        let phone = try phone { _ in .success(WebResponse(status: 401)) }
        let result = phone.call { $0.register(completion: $1) }
        phone.drain()
        #expect((result.entries.first as? MessagingError)?.errorCode == 0)
        #expect(phone.requests(.registration).count == 2)
        #expect(phone.requests(.authToken).count == 1)
    }
}
