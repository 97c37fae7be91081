import FirebaseCore
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

private let offline: @Sendable (String) async -> Result<WebResponse, WebError>? = { _ in
    .failure(.notConnectedToInternet)
}

@Suite struct `Topic calls and their completions` {
    @Test func `without an APNs token a call is answered with 505, and asks for nothing`() throws {
        for info in [[:], TestPhone.fidMode] {
            let phone = TestPhone(infoPlist: info)
            try phone.launch()
            let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
            phone.drain()
            #expect(result.codes == ["com.google.fcm 505"])
            #expect(phone.device.transport.requests.isEmpty)
            #expect(phone.pendingTopics == nil)
            #expect(phone.logCodes.contains("I-FCM002010"))
            phone.setAPNSToken()
            #expect(phone.topicRequests.isEmpty)
        }
    }

    @Test func `unsubscribing with a token needs the registration too, an installation id does not`() throws {
        let classic = TestPhone()
        try classic.launch()
        let refused = classic.call { $0.unsubscribe(fromTopic: "news", completion: $1) }
        classic.drain()
        #expect(refused.codes == ["com.google.fcm 505"])
        #expect(classic.logCodes.contains("I-FCM002012"))

        let fid = TestPhone(infoPlist: TestPhone.fidMode)
        try fid.launch()
        let done = fid.call { $0.unsubscribe(fromTopic: "news", completion: $1) }
        fid.drain()
        #expect(done.codes == [nil])
        #expect(fid.topicRequests == ["-news"])
    }

    @Test func `a call gets the registration first, auto-init or not`() throws {
        for info in [[:], TestPhone.fidMode] {
            let phone = TestPhone(
                infoPlist: info.merging(["FirebaseMessagingAutoInitEnabled": .bool(false)]) { $1 })
            try phone.launch()
            try phone.installationID()
            phone.setAPNSToken()
            #expect(phone.storedToken == nil)
            let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
            phone.drain()
            #expect(result.codes == [nil])
            #expect(phone.storedToken != nil)
            #expect(phone.topicRequests == ["+news"])
        }
    }

    @Test func `an error of the registration is the error of the call`() throws {
        let rows: [(Result<WebResponse, WebError>, String)] = [
            (.failure(.notConnectedToInternet), "NSURLErrorDomain -1009"),
            (.success(WebResponse(status: 200, body: Array("Error=INVALID_SENDER".utf8))), "com.google.fcm 0"),
            (.success(WebResponse(status: 200, body: Array("Error=RST".utf8))), "com.google.fcm 2001"),
        ]
        for (answer, code) in rows {
            let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
            phone.service.override { $0.kind == .register ? answer : nil }
            try phone.launch()
            phone.setAPNSToken()
            let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
            phone.drain()
            #expect(result.codes == [code])
            #expect(phone.topicRequests.isEmpty)
            #expect(phone.pendingTopics == nil)
        }
    }

    @Test func `completions come on main, once, and after the operation left the queue`() throws {
        let phone = try TestPhone.registered()
        let told = Record<String>()
        phone.messaging.subscribe(toTopic: "news") { error in
            told.append("\(phone.device.executor.isCurrent) \(error == nil) \(phone.pendingTopics == nil)")
        }
        #expect(told.entries.isEmpty)
        phone.drain()
        #expect(told.entries == ["true true true"])
    }

    @Test func `equal calls share one request and all are told`() throws {
        let phone = try TestPhone.registered()
        let results = ["news", "/topics/news", "news"].map { topic in
            phone.call { $0.subscribe(toTopic: topic, completion: $1) }
        }
        phone.drain()
        #expect(results.map(\.codes) == [[nil], [nil], [nil]])
        #expect(phone.topicRequests == ["+news"])
    }

    @Test func `a nil completion is no completion`() throws {
        let phone = try TestPhone.registered()
        phone.messaging.subscribe(toTopic: "news", completion: nil)
        phone.messaging.unsubscribe(fromTopic: "old", completion: nil)
        phone.drain()
        #expect(phone.topicRequests == ["+news", "-old"])
    }

    @Test func `the async calls return, or throw the error`() async throws {
        let phone = try TestPhone.registered()
        let executor = phone.device.executor
        let answered = Record<Int>()
        phone.answerTopics { call in
            answered.append(1)
            return call == "+bad" ? .success(WebResponse(status: 200, body: Array("Error=X".utf8))) : nil
        }
        let messaging = phone.messaging
        let calls = Task {
            try await messaging.subscribe(toTopic: "news")
            try await messaging.unsubscribe(fromTopic: "news")
            await #expect(throws: MessagingError.self) { try await messaging.subscribe(toTopic: "bad") }
            await #expect(throws: MessagingError.wrongTopicName) { try await messaging.subscribe(toTopic: "no good") }
            return true
        }
        let drained = Record<Bool>()
        let driver = Task {
            while drained.entries.isEmpty {
                executor.drain()
                await Task.yield()
            }
        }
        #expect(try await calls.value)
        drained.append(true)
        await driver.value
        #expect(answered.entries.count == 3)
    }

    @Test func `without a configured app every call ends with an error`() async throws {
        let device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: TestPhone.bundleID))
        let container = FirebaseContainer(platform: device.platform)
        let result = Record<(any Error)?>()
        container.run {
            Messaging.messaging().subscribe(toTopic: "news") { result.append($0) }
            Messaging.messaging().unsubscribe(fromTopic: "news") { result.append($0) }
            Messaging.messaging().subscribe(toTopic: "news")
        }
        #expect(result.codes == ["com.google.fcm 7", "com.google.fcm 7"])
        _ = await container.perform {
            await #expect(throws: MessagingError.self) {
                try await Messaging.messaging().subscribe(toTopic: "news")
            }
        }
    }

    @Test func `deleting the app answers 3005, and the operation goes on at the next start`() async throws {
        let phone = try TestPhone.registered()
        phone.answerTopics(offline)
        let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
        phone.drain()
        let late = phone.call { $0.subscribe(toTopic: "late", completion: $1) }
        await phone.container.app?.delete()
        phone.drain()
        #expect(result.codes == ["com.google.fcm 3005"])
        #expect(late.codes == ["com.google.fcm 3005"])
        phone.wait(seconds: 1)
        #expect(phone.topicRequests == ["+news"])
        #expect(phone.device.clock.pendingDelays.isEmpty)
        phone.service.endOverrides()
        try phone.relaunch()
        #expect(phone.topicRequests == ["+news", "+news"])
    }

    @Test func `a device that cannot check in is 501, without network the call waits`() throws {
        let phone = try TestPhone.registered()
        phone.device.clock.advance(seconds: 604_799)
        let registered = phone.token()
        phone.drain()
        #expect(registered.entries.count == 1)
        // The registration is fresh enough, the check-in of the topic call is not.
        phone.device.clock.advance(seconds: 1)
        phone.service.override { $0.kind == .checkIn ? .failure(.timedOut) : nil }
        phone.container.app?.component(Messaging.self).core?.topics.add(.subscribe, TopicName("news")!, answer: nil)
        phone.drain()
        #expect(phone.topicRequests.isEmpty)
        #expect(phone.device.clock.pendingDelays == [1])
        phone.service.endOverrides()
        phone.service.override { $0.kind == .checkIn ? .success(WebResponse(status: 200, body: [])) : nil }
        let result = Record<(any Error)?>()
        phone.container.app?.component(Messaging.self).core?.topics.add(.subscribe, TopicName("news")!) {
            result.append($0)
        }
        phone.drain()
        #expect(result.codes == ["com.google.fcm 501"])
    }
}

@Suite struct `Topic calls that nobody waits for` {
    @Test func `queue before there is a registration, and go out when it is made`() throws {
        for info in [[:], TestPhone.fidMode] {
            for autoInit in [true, false] {
                let phone = TestPhone(
                    infoPlist: info.merging(["FirebaseMessagingAutoInitEnabled": .bool(autoInit)]) { $1 })
                try phone.launch()
                try phone.installationID()
                phone.messaging.subscribe(toTopic: "news")
                phone.drain()
                #expect(phone.topicRequests.isEmpty)
                #expect(phone.pendingTopics?.contains("/topics/news") == true)
                phone.setAPNSToken()
                #expect(phone.topicRequests == ["+news"])
                #expect(phone.pendingTopics == nil)
            }
        }
    }

    @Test func `wait for a registration that has no network yet`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        phone.service.override { _ in .failure(.notConnectedToInternet) }
        try phone.launch()
        phone.setAPNSToken()
        phone.messaging.subscribe(toTopic: "news")
        phone.drain()
        phone.service.endOverrides()
        phone.wait(seconds: 1)
        #expect(phone.topicRequests == ["+news"])
    }

    @Test func `are dropped when the registration is refused`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        phone.service.override {
            $0.kind == .register ? .success(WebResponse(status: 200, body: Array("Error=INVALID_SENDER".utf8))) : nil
        }
        try phone.launch()
        phone.setAPNSToken()
        phone.messaging.subscribe(toTopic: "news")
        phone.drain()
        #expect(phone.pendingTopics == nil)
        #expect(phone.logCodes.contains("I-FCM002010"))
    }

    @Test func `stay when the installation's server cannot be reached; a caller is told`() throws {
        let phone = try TestPhone.registered(infoPlist: TestPhone.fidMode)
        phone.device.clock.advance(seconds: 604_799)
        phone.service.override { $0.kind == .authToken ? .failure(.notConnectedToInternet) : nil }
        phone.messaging.subscribe(toTopic: "quiet")
        let result = phone.call { $0.subscribe(toTopic: "loud", completion: $1) }
        phone.drain()
        #expect(result.codes == ["com.firebase.installations 2"])
        #expect(phone.pendingTopics?.contains("quiet") == true)
        #expect(phone.pendingTopics?.contains("loud") == false)
        phone.service.endOverrides()
        phone.wait(seconds: 1)
        #expect(phone.topicRequests == ["+quiet"])
    }
}

@Suite struct `Rule 6 - the order of topic calls` {
    @Test func `subscribing, unsubscribing and subscribing again all go out, in that order`() throws {
        let phone = try TestPhone.registered()
        let order = Record<String>()
        phone.messaging.subscribe(toTopic: "a") { _ in order.append("+a") }
        phone.messaging.unsubscribe(fromTopic: "a") { _ in order.append("-a") }
        phone.messaging.subscribe(toTopic: "a") { _ in order.append("+a") }
        phone.drain()
        #expect(phone.topicRequests == ["+a", "-a", "+a"])
        #expect(order.entries == ["+a", "-a", "+a"])
    }

    @Test func `the order holds while the first call still waits for its registration`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        let gate = Gate()
        phone.service.override { $0.kind == .register ? await gate.wait("register") : nil }
        try phone.launch()
        phone.setAPNSToken()
        phone.messaging.subscribe(toTopic: "a")
        phone.drain()
        phone.messaging.unsubscribe(fromTopic: "a")
        phone.drain()
        #expect(phone.topicRequests.isEmpty)
        phone.service.endOverrides()
        let id = try phone.installationID()
        gate.open("register", .success(WebResponse(status: 200, body: Array("token=\(id):APA91bx".utf8))))
        phone.drain()
        #expect(phone.topicRequests == ["+a", "-a"])
    }

    @Test func `a batch waits until the one before is answered`() throws {
        let phone = try TestPhone.registered()
        let gate = Gate()
        phone.answerTopics { await gate.wait($0) }
        for topic in ["a", "b"] { phone.messaging.subscribe(toTopic: topic) }
        phone.messaging.unsubscribe(fromTopic: "c")
        phone.drain()
        #expect(Set(gate.names) == ["+a", "+b"])
        gate.open("+b", .success(WebResponse(status: 200, body: Array("token=".utf8))))
        phone.drain()
        #expect(gate.names == ["+a"])
        gate.open("+a", .success(WebResponse(status: 200, body: Array("token=".utf8))))
        phone.drain()
        #expect(gate.names == ["-c"])
    }

    @Test func `ten requests are out at once, the oldest calls first`() throws {
        let phone = try TestPhone.registered()
        let gate = Gate()
        phone.answerTopics { await gate.wait($0) }
        for number in 0..<12 { phone.messaging.subscribe(toTopic: "t\(number)") }
        phone.drain()
        #expect(Set(gate.names) == Set((0..<10).map { "+t\($0)" }))
        gate.open("+t3", .success(WebResponse(status: 200, body: Array("token=".utf8))))
        phone.drain()
        #expect(gate.names.count == 10 && gate.names.last == "+t10")
    }

    @Test func `a refused topic does not hold up the next (IOS-08)`() throws {
        for info in [[:], TestPhone.fidMode] {
            let phone = try TestPhone.registered(infoPlist: info)
            phone.answerTopics { $0.contains("sport") ? .success(WebResponse(status: 400)) : nil }
            let bad = phone.call { $0.subscribe(toTopic: "sport%7Cbaseball", completion: $1) }
            let good = phone.call { $0.subscribe(toTopic: "weather", completion: $1) }
            phone.drain()
            #expect(bad.codes == ["com.google.fcm 0"])
            #expect(good.codes == [nil])
            #expect(phone.device.clock.pendingDelays.isEmpty)
        }
    }

    @Test func `a topic that waits for its next try holds up neither its batch nor later ones`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics { $0 == "+a" ? .success(WebResponse(status: 503)) : nil }
        phone.messaging.subscribe(toTopic: "a")
        phone.messaging.subscribe(toTopic: "b")
        phone.messaging.unsubscribe(fromTopic: "c")
        phone.messaging.unsubscribe(fromTopic: "a")
        phone.drain()
        #expect(phone.topicRequests.prefix(2).sorted() == ["+a", "+b"])
        #expect(phone.topicRequests.dropFirst(2) == ["-c"])
        phone.service.endOverrides()
        phone.wait(seconds: 1)
        #expect(phone.topicRequests.dropFirst(3) == ["+a", "-a"])
    }
}

@Suite struct `Rule 6 - tries of topic calls` {
    @Test func `without network the pauses double, and the completion waits`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics(offline)
        let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
        phone.drain()
        for (count, pause) in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512].enumerated() {
            #expect(phone.topicRequests.count == count + 1)
            #expect(phone.device.clock.pendingDelays == [pause])
            phone.wait(seconds: pause)
        }
        #expect(result.entries.isEmpty)
        phone.service.endOverrides()
        phone.wait(seconds: 512)
        #expect(result.codes == [nil])
    }

    static let wakers: [(String, @Sendable (TestPhone) -> Void)] = [
        (
            "the network comes back",
            {
                $0.device.reachability.set(false)
                $0.device.reachability.set(true)
            }
        ),
        (
            "the registration changes",
            {
                $0.tokens.deleteToken { _ in }
                $0.tokens.token { _, _ in }
            }
        ),
        ("the app comes to the foreground", { $0.device.appState.move(to: .active) }),
        ("a call joins the batch", { $0.messaging.subscribe(toTopic: "news") }),
    ]

    @Test(arguments: 0..<4) func `are made at once when`(waker: Int) throws {
        let phone = try TestPhone.registered()
        phone.answerTopics(offline)
        let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
        phone.drain()
        phone.wait(seconds: 1)
        phone.service.endOverrides()
        #expect(result.entries.isEmpty)
        phone.device.executor.onMain { Self.wakers[waker].1(phone) }
        phone.drain()
        #expect(result.codes == [nil], "\(Self.wakers[waker].0)")
        #expect(phone.pendingTopics == nil)
        #expect(phone.device.clock.pendingDelays.isEmpty)
    }

    @Test func `losing the network makes none`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics(offline)
        phone.messaging.subscribe(toTopic: "news")
        phone.drain()
        phone.device.executor.onMain { phone.device.reachability.set(false) }
        phone.drain()
        #expect(phone.topicRequests.count == 1)
    }
}

@Suite struct `Rule 6 - topic calls across a restart` {
    @Test func `what is not done goes on at the next start, first batch first`() throws {
        for info in [[:], TestPhone.fidMode] {
            let phone = try TestPhone.registered(infoPlist: info)
            phone.answerTopics(offline)
            phone.messaging.subscribe(toTopic: "a")
            phone.messaging.unsubscribe(fromTopic: "a")
            phone.messaging.subscribe(toTopic: "b")
            phone.drain()
            let before = phone.topicRequests.count
            phone.service.endOverrides()
            try phone.relaunch()
            #expect(Array(phone.topicRequests.dropFirst(before)) == ["+a", "-a", "+b"])
            #expect(phone.pendingTopics == nil)
        }
    }

    @Test func `a new call comes after the stored ones`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics(offline)
        phone.messaging.subscribe(toTopic: "a")
        phone.messaging.unsubscribe(fromTopic: "b")
        phone.drain()
        let before = phone.topicRequests.count
        phone.service.endOverrides()
        phone.device = phone.device.relaunched()
        try phone.launch(drains: false)
        phone.messaging.unsubscribe(fromTopic: "a")
        phone.messaging.subscribe(toTopic: "b")
        phone.setAPNSToken()
        let after = Array(phone.topicRequests.dropFirst(before))
        #expect(after.first == "+a")
        #expect(after.dropFirst().prefix(2).sorted() == ["-a", "-b"])
        #expect(after.dropFirst(3) == ["+b"])
    }

    @Test func `done calls are not repeated, and the token does not matter`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics { $0 == "+b" ? .failure(.timedOut) : nil }
        for topic in ["a", "b", "c"] { phone.messaging.subscribe(toTopic: topic) }
        phone.drain()
        phone.service.endOverrides()
        phone.tokens.deleteToken { _ in }
        phone.device = phone.device.relaunched()
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.topicRequests.filter { $0 == "+a" }.count == 1)
        #expect(phone.topicRequests.last == "+b")
        #expect(phone.requests(.topic).last?.text.field("sender") == phone.storedToken?.token)
    }

    @Test func `a process that dies in the middle of a request asks again`() throws {
        let phone = try TestPhone.registered()
        let gate = Gate()
        phone.answerTopics { await gate.wait($0) }
        phone.messaging.subscribe(toTopic: "a")
        phone.drain()
        #expect(phone.pendingTopics?.contains("/topics/a") == true)
        phone.service.endOverrides()
        try phone.relaunch()
        #expect(phone.topicRequests == ["+a", "+a"])
        gate.open("+a", .failure(.cancelled))
        phone.drain()
    }

    @Test func `a reinstalled app starts without pending calls`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics(offline)
        phone.messaging.subscribe(toTopic: "a")
        phone.drain()
        phone.service.endOverrides()
        phone.device = phone.device.reinstalled()
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.topicRequests == ["+a"])
    }

    @Test func `without a registration stored calls wait for one`() throws {
        let phone = TestPhone()
        phone.device.defaults.set(
            .data(Array(#"{"batches":[{"action":0,"topics":["/topics/a"]}]}"#.utf8)), for: PendingTopicsStore.key)
        try phone.launch()
        #expect(phone.topicRequests.isEmpty)
        phone.setAPNSToken()
        #expect(phone.topicRequests == ["+a"])
    }
}
