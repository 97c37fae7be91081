import FirebasePlatform
import Foundation
import PropertyTesting
import Testing

@testable import FirebaseMessaging

@Suite struct `Pending topic batches` {
    let now = SteppedClock().now()

    /// `+a +b -a` adds these calls.
    private func pending(_ calls: String) throws -> PendingTopics {
        var pending = PendingTopics()
        for call in calls.split(separator: " ") { try add(call, to: &pending) }
        return pending
    }

    private func add(_ call: some StringProtocol, to pending: inout PendingTopics) throws {
        let topic = try #require(TopicName(String(call.dropFirst())))
        pending.add(call.first == "-" ? .unsubscribe : .subscribe, topic, answer: nil)
    }

    private func text(_ pending: PendingTopics) -> String {
        pending.contents.map { batch in
            (batch.action == .subscribe ? "+" : "-") + batch.topics.map(\.bare).joined(separator: ",")
        }.joined(separator: " ")
    }

    private func take(_ pending: inout PendingTopics, at time: Date? = nil) -> [PendingTopics.Operation] {
        pending.takeRunnable(at: time ?? now) { _ in true }
    }

    private func names(_ operations: [PendingTopics.Operation]) -> [String] {
        operations.map { ($0.action == .subscribe ? "+" : "-") + $0.topic.bare }
    }

    @Test(arguments: [
        ("+a", "+a"), ("+a +b", "+a,b"), ("+a +a", "+a"), ("+a +b +a", "+a,b"), ("+a -a", "+a -a"),
        ("+a -a +a", "+a -a +a"), ("+a -b +c", "+a -b +c"), ("-a -a -b", "-a,b"), ("+a -b -b +a +a +c", "+a -b +a,c"),
        ("+/topics/a +a", "+a"),
    ])
    func `a call joins the last batch of its action, else starts one`(calls: String, batches: String) throws {
        #expect(text(try pending(calls)) == batches)
    }

    @Test func `a redundant call only adds its answer`() throws {
        let told = Record<String>()
        var pending = PendingTopics()
        let topic = try #require(TopicName("a"))
        pending.add(.subscribe, topic) { _ in told.append("first") }
        let running = take(&pending)
        pending.add(.subscribe, topic) { _ in told.append("second") }
        #expect(take(&pending).isEmpty, "it runs already")
        for answer in pending.finish(try #require(running.first)) { answer(nil) }
        #expect(told.entries == ["first", "second"])
        #expect(pending.isEmpty)
    }

    @Test func `the next batch starts when the one before is done`() throws {
        var pending = try pending("+a +b -a +a")
        let first = take(&pending)
        #expect(names(first) == ["+a", "+b"])
        #expect(take(&pending).isEmpty)
        _ = pending.finish(first[1])
        #expect(take(&pending).isEmpty)
        _ = pending.finish(first[0])
        let second = take(&pending)
        #expect(names(second) == ["-a"])
        _ = pending.finish(second[0])
        #expect(names(take(&pending)) == ["+a"])
    }

    @Test func `ten run at a time, and the next as soon as one ends`() throws {
        var pending = try pending((0..<25).map { "+t\($0)" }.joined(separator: " "))
        var running = take(&pending)
        #expect(names(running) == (0..<10).map { "+t\($0)" })
        #expect(take(&pending).isEmpty)
        _ = pending.finish(running.removeFirst())
        #expect(names(take(&pending)) == ["+t10"])
    }

    @Test func `what rests holds back its own topic, not the others`() throws {
        var pending = try pending("+a -a -b +b")
        pending.postpone(take(&pending)[0], at: now)
        let second = take(&pending)
        #expect(names(second) == ["-b"])
        _ = pending.finish(second[0])
        #expect(text(pending) == "+a -a +b")
        #expect(names(take(&pending)) == ["+b"])
        #expect(names(take(&pending, at: now + 1)) == ["+a"])
    }

    @Test func `a batch in work holds back the later ones, even when a part of it rests`() throws {
        var pending = try pending("+a +b -c")
        let first = take(&pending)
        pending.postpone(first[0], at: now)
        #expect(take(&pending).isEmpty)
        _ = pending.finish(first[1])
        #expect(names(take(&pending)) == ["-c"])
    }

    @Test func `an action without its registration waits, and the other goes on`() throws {
        var pending = try pending("+a -b -a")
        let operations = pending.takeRunnable(at: now) { $0 == .unsubscribe }
        #expect(names(operations) == ["-b"])
    }

    @Test func `pauses double from one second to 512`() throws {
        var pending = try pending("+a")
        var time = now
        var pauses: [Double] = []
        for _ in 0..<40 {
            pending.postpone(try #require(take(&pending, at: time).first), at: time)
            let next = try #require(pending.nextTry(after: time))
            #expect(take(&pending, at: next - 0.001).isEmpty)
            pauses.append(next.timeIntervalSince(time))
            time = next
        }
        #expect(pauses.prefix(11) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512])
        #expect(pauses.last == 512)
        pending.endPauses()
        pending.postpone(try #require(take(&pending, at: time).first), at: time)
        #expect(pending.nextTry(after: time) == time + 1)
    }

    @Test func `a new call lets its batch try again at once`() throws {
        var pending = try pending("+a")
        pending.postpone(take(&pending)[0], at: now)
        #expect(take(&pending).isEmpty)
        try add("+b", to: &pending)
        #expect(names(take(&pending)) == ["+a", "+b"])
    }

    @Test func `an end that nobody knows changes nothing`() throws {
        var pending = try pending("+a")
        let operation = take(&pending)[0]
        #expect(pending.finish(operation).isEmpty)
        #expect(pending.finish(operation).isEmpty)
        pending.postpone(operation, at: now)
        #expect(pending.isEmpty)
    }

    /// Whatever the calls and answers, the last call for a topic decides, and nothing runs twice at once.
    @Test(arguments: 0..<50) func `the last call for a topic is the last one carried out`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pending = PendingTopics()
        var time = now
        var wanted: [String: String] = [:]
        var done: [String: String] = [:]
        var running: [PendingTopics.Operation] = []
        func step(_ calls: Bool) throws {
            if calls, Bool.random(using: &random) {
                let name = "t\(Int.random(in: 0..<15, using: &random))"
                let sign = Bool.random(using: &random) ? "+" : "-"
                wanted[name] = sign
                try add(sign + name, to: &pending)
            }
            running += take(&pending, at: time)
            #expect(running.count <= PendingTopics.maximumAtOnce)
            #expect(Set(running.map(\.topic)).count == running.count, "a topic runs once at a time")
            guard let operation = running.indices.randomElement(using: &random).map({ running.remove(at: $0) }) else {
                time += 1
                return
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                pending.postpone(operation, at: time)
            } else {
                done[operation.topic.bare] = operation.action == .subscribe ? "+" : "-"
                _ = pending.finish(operation)
            }
        }
        for _ in 0..<200 { try step(true) }
        for _ in 0..<20_000 where !pending.isEmpty { try step(false) }
        #expect(pending.isEmpty)
        #expect(done == wanted)
    }
}

@Suite struct `The stored queue of topic calls` {
    private func loaded(_ value: PlistValue?) -> String {
        let defaults = InMemoryDefaults()
        defaults.set(value, for: PendingTopicsStore.key)
        return PendingTopicsStore(defaults: defaults).load().contents.map { batch in
            (batch.action == .subscribe ? "+" : "-") + batch.topics.map(\.bare).joined(separator: ",")
        }.joined(separator: " ")
    }

    private func loaded(_ text: String) -> String { loaded(.data(Array(text.utf8))) }

    @Test func `is the batches in their order`() throws {
        let defaults = InMemoryDefaults()
        let store = PendingTopicsStore(defaults: defaults)
        var pending = PendingTopics()
        for (action, name) in [(TopicAction.subscribe, "b"), (.subscribe, "a%"), (.unsubscribe, "b")] {
            pending.add(action, try #require(TopicName(name)), answer: nil)
        }
        store.save(pending)
        let bytes = try #require(defaults.value("com.firebase.messaging.pending-subscriptions")?.bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"batches":[{"action":0,"topics":["/topics/b","/topics/a%"]},{"action":1,"topics":["/topics/b"]}]}"#
        )
        #expect(store.load().contents.map(\.topics) == pending.contents.map(\.topics))
        #expect(store.load().contents.map(\.action) == [.subscribe, .unsubscribe])
        store.save(PendingTopics())
        #expect(defaults.value(PendingTopicsStore.key) == nil)
    }

    @Test(arguments: [
        ("", ""), ("{}", ""), ("[]", ""), ("bplist00", ""), (#"{"batches":{}}"#, ""),
        (#"{"batches":[1,null,"x"]}"#, ""),
        (#"{"batches":[{"action":2,"topics":["a"]}]}"#, ""), (#"{"batches":[{"action":"0","topics":["a"]}]}"#, ""),
        (#"{"batches":[{"topics":["a"]}]}"#, ""), (#"{"batches":[{"action":0}]}"#, ""),
        (#"{"batches":[{"action":0,"topics":"a"}]}"#, ""),
        (#"{"batches":[{"action":0,"topics":["good one",7,"/topics/","ok"]}]}"#, "+ok"),
        (#"{"batches":[{"action":9223372036854775807,"topics":["a"]},{"action":1,"topics":["b"]}]}"#, "-b"),
        (#"{"batches":[{"action":0,"topics":["a"]},{"action":0,"topics":["a","b"]}]}"#, "+a,b"),
    ])
    func `leaves out what this SDK would not write`(text: String, expected: String) {
        #expect(loaded(text) == expected)
    }

    @Test func `is empty when another kind of value is there`() {
        #expect(loaded(nil) == "")
        #expect(loaded(.string("batches")) == "")
        #expect(loaded(.dictionary(["batches": .array([])])) == "")
    }
}
