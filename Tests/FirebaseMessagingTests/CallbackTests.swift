import Firebase
import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

/// Every call of the public API that takes a completion, each from a thread that is not the main one.
@Suite struct `Callbacks` {
    struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isFIDMode = false
        /// Starts the call; the second argument is to be called by its completion.
        var start: @Sendable (TestPhone, @escaping () -> Void) -> Void

        init(
            _ name: String, isFIDMode: Bool = false,
            _ start: @escaping @Sendable (TestPhone, @escaping () -> Void) -> Void
        ) {
            testDescription = name
            self.isFIDMode = isFIDMode
            self.start = start
        }
    }

    static let calls = [
        Call("token") { phone, done in phone.tokens.token { _, _ in done() } },
        Call("retrieveFCMToken") { phone, done in phone.tokens.retrieveFCMToken(forSenderID: "7") { _, _ in done() } },
        Call("deleteToken") { phone, done in phone.tokens.deleteToken { _ in done() } },
        Call("deleteFCMToken") { phone, done in phone.tokens.deleteFCMToken(forSenderID: "7") { _ in done() } },
        Call("deleteData") { phone, done in phone.messaging.deleteData { _ in done() } },
        Call("deleteData, by installation id", isFIDMode: true) { phone, done in
            phone.messaging.deleteData { _ in done() }
        },
        Call("register", isFIDMode: true) { phone, done in phone.messaging.register { _ in done() } },
        Call("unregister", isFIDMode: true) { phone, done in phone.messaging.unregister { _ in done() } },
        Call("subscribe") { phone, done in phone.messaging.subscribe(toTopic: "news") { _ in done() } },
        Call("subscribe to a wrong name") { phone, done in phone.messaging.subscribe(toTopic: "a b") { _ in done() } },
        Call("unsubscribe") { phone, done in phone.messaging.unsubscribe(fromTopic: "news") { _ in done() } },
        Call("unsubscribe, by installation id", isFIDMode: true) { phone, done in
            phone.messaging.unsubscribe(fromTopic: "news") { _ in done() }
        },
        Call("connect") { phone, done in
            let calls: any DirectChannelCalls = phone.messaging
            calls.connect { _ in done() }
            phone.drain()
            // Without a network the answer comes at once, with one when the channel is up.
            phone.device.executor.onMain { phone.device.reachability.set(false) }
            phone.device.byteStreams.streams.last?.close()
        },
        Call("installationID") { phone, done in Self.installations(phone).installationID { _, _ in done() } },
        Call("authToken") { phone, done in Self.installations(phone).authToken { _, _ in done() } },
        Call("authTokenForcingRefresh") { phone, done in
            Self.installations(phone).authTokenForcingRefresh(true) { _, _ in done() }
        },
        Call("Installations.delete") { phone, done in Self.installations(phone).delete { _ in done() } },
        Call("InstanceID.getID") { phone, done in Self.instance(phone).getID { _, _ in done() } },
        Call("InstanceID.deleteID") { phone, done in Self.instance(phone).deleteID { _ in done() } },
        Call("InstanceID.instanceID") { phone, done in Self.instance(phone).result { _, _ in done() } },
        Call("InstanceID.token") { phone, done in
            Self.instance(phone).token(withAuthorizedEntity: "7", scope: "*", options: nil) { _, _ in done() }
        },
        Call("InstanceID.deleteToken") { phone, done in
            Self.instance(phone).deleteToken(withAuthorizedEntity: "7", scope: "*") { _ in done() }
        },
    ]

    static func installations(_ phone: TestPhone) -> Installations {
        Installations.installations(app: phone.container.app!)
    }

    static func instance(_ phone: TestPhone) -> any InstanceCalls {
        phone.container.run { InstanceLibrary.names.current }
    }

    private func phone(_ call: Call, registers: Bool) throws -> TestPhone {
        let phone = TestPhone(infoPlist: call.isFIDMode ? TestPhone.fidMode : [:])
        try phone.launch()
        try phone.installationID()
        if registers { phone.setAPNSToken() }
        return phone
    }

    @Test(arguments: calls, [true, false]) func `come once, on the main executor`(
        call: Call, registers: Bool
    ) throws {
        let phone = try phone(call, registers: registers)
        let executor = phone.device.executor
        let heard = Record<Bool>()
        call.start(phone) { heard.append(executor.isCurrent) }
        phone.drain()
        phone.wait(seconds: 3600)
        #expect(heard.entries == [true])
    }

    @Test(arguments: calls) func `come once and on the main executor when the server answers nothing of use`(
        call: Call
    ) throws {
        let phone = try phone(call, registers: true)
        phone.service.override { _ in .success(WebResponse(status: 400)) }
        let executor = phone.device.executor
        let heard = Record<Bool>()
        call.start(phone) { heard.append(executor.isCurrent) }
        phone.drain()
        for _ in 0..<12 { phone.wait(seconds: 3600) }
        #expect(heard.entries == [true])
    }

    @Test func `of the delegate and notifications come on the main executor, in both modes`() throws {
        for infoPlist in [[:], TestPhone.fidMode] {
            let phone = TestPhone(infoPlist: infoPlist)
            let executor = phone.device.executor
            let heard = Record<Bool>()
            let told = phone.delegate.record.observe { _ in heard.append(executor.isCurrent) }
            let posted = phone.device.notifications.record.observe { _ in heard.append(executor.isCurrent) }
            try phone.launch()
            try phone.installationID()
            phone.setAPNSToken()
            if infoPlist.isEmpty {
                phone.tokens.deleteToken { _ in }
            } else {
                phone.messaging.unregister { _ in }
            }
            phone.drain()
            Self.installations(phone).delete { _ in }
            phone.drain()
            told.cancel()
            posted.cancel()
            #expect(heard.entries.count >= 5)
            #expect(heard.entries.allSatisfy { $0 })
        }
    }
}

@Suite struct `What may be sent between isolation domains` {
    private func accepts(_ type: (some Sendable).Type) -> Bool { true }

    /// The compiler checks it; older code that shares these objects between threads goes on compiling in Swift 6.
    @Test func `objects and values of the public API`() {
        #expect(accepts(FirebaseApp.self))
        #expect(accepts(FirebaseConfigurationError.self))
        #expect(accepts(Installations.self))
        #expect(accepts(InstallationsAuthTokenResult.self))
        #expect(accepts(InstallationsErrorCode.self))
        #expect(accepts(Messaging.self))
        #expect(accepts(MessagingAPNSTokenType.self))
        #expect(accepts(MessagingError.self))
        #expect(accepts(MessagingExtensionHelper.self))
        #expect(accepts(MessagingMessageInfo.self))
        #expect(accepts(MessagingMessageStatus.self))
    }
}

/// An app of Swift 6: its types live on the main actor, and so do the closures it hands over.
@MainActor private final class MainActorApp: MessagingDelegate {
    var answers = 0

    func ask(_ messaging: Messaging) {
        messaging.delegate = self
        let calls: any RegistrationTokens = messaging
        calls.token { [weak self] _, _ in self?.answers += 1 }
        messaging.subscribe(toTopic: "news") { [weak self] _ in self?.answers += 1 }
    }
}

@MainActor @Suite struct `An app on the main actor` {
    @Test func `hands over closures of its own`() throws {
        let phone = TestPhone()
        try phone.launch()
        try phone.installationID()
        phone.setAPNSToken()
        let app = MainActorApp()
        app.ask(phone.messaging)
        phone.drain()
        #expect(app.answers == 2)
    }

    @Test func `is answered at once, where it calls, when it deletes Firebase's app`() throws {
        let phone = TestPhone()
        try phone.launch()
        var answers: [Bool] = []
        let app = try #require(phone.container.app)
        app.delete { answers.append($0) }
        app.delete { answers.append($0) }
        #expect(answers == [true, false])
    }
}
