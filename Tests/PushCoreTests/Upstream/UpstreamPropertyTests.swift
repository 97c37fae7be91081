import PropertyTesting
import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

@Suite struct `Upstream messages in any order of events` {
    /// What must hold: nothing is lost, nothing comes again after its acknowledgement, no window is overstepped, and no
    /// two connections have the same message.
    @Test(arguments: 0..<60) func `are neither lost nor repeated after acknowledgement`(seed: UInt64) async {
        var schedule = Schedule(seed: seed)
        for _ in 0..<300 { await schedule.step() }
        await schedule.finish()
    }

    /// Commits are told of by whichever thread hears of them first; connections come and go.
    @Test(arguments: 0..<60) func `come in the order of acceptance, whoever tells of them first`(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let world = UpstreamWorld(window: Int.random(in: 1...5, using: &generator))
        var (session, sessions, untold) = (world.connected(), [RecordingSession](), [UpstreamMessage]())
        var acknowledged: Set<String> = []
        for number in 0..<400 {
            if number < 200 { untold.append(world.add("\(number)")) }
            while !untold.isEmpty, untold.count > 4 || Bool.random(using: &generator) {
                world.dispatcher.accepted(untold.remove(at: Int.random(in: untold.indices, using: &generator)))
            }
            for name in session.names where Bool.random(using: &generator) {
                if world.acknowledge(name, by: session) { acknowledged.insert(name) }
            }
            if Bool.random(using: &generator) { await world.dispatcher.drain() }
            guard Int.random(in: 0..<20, using: &generator) == 0 else { continue }
            world.disconnect(session)
            sessions.append(session)
            session = world.connected()
            #expect(acknowledged.isDisjoint(with: session.names))
        }
        sessions.append(session)
        for session in sessions { #expect(session.messages.map(\.id) == session.messages.map(\.id).sorted()) }
        while acknowledged.count < 200 {
            for name in session.names where world.acknowledge(name, by: session) { acknowledged.insert(name) }
        }
    }

    @Test func `that are told of only after they were acknowledged come no more`() async {
        let world = UpstreamWorld()
        let late = world.add("late")
        let first = world.connected()
        #expect(world.acknowledge("late", by: first))
        await world.dispatcher.drain()
        world.disconnect(first)
        let second = world.connected()
        world.dispatcher.accepted(late)
        #expect(second.names == [])
        world.accept("next")
        #expect(second.names == ["next"])
    }

    @Test func `of many threads come to one connection in the order of acceptance`() async {
        let world = UpstreamWorld(window: 5)
        let acknowledged = Acknowledgements()
        let session = RecordingSession()
        session.onDelivery { [weak session] message in
            guard let session else { return }
            Task { if world.acknowledge(message.content.messageID, by: session) { acknowledged.add(message.id) } }
        }
        world.connect(session)
        await withTaskGroup { group in
            for part in 0..<4 {
                group.addTask {
                    for number in 0..<250 { world.accept("\(part)-\(number)") }
                }
            }
        }
        while acknowledged.counts.count < 1_000 { await Task.yield() }
        #expect(session.messages.map(\.id) == session.messages.map(\.id).sorted())
    }

    @Test func `of many threads all arrive and are acknowledged once`() async {
        let world = UpstreamWorld(window: 5)
        let acknowledged = Acknowledgements()
        let sessions = (0..<4).map { _ in RecordingSession() }
        for session in sessions {
            session.onDelivery { [weak session] message in
                guard let session else { return }
                // From another thread, as a connection's loop does.
                Task { if world.acknowledge(message.content.messageID, by: session) { acknowledged.add(message.id) } }
            }
        }
        await withTaskGroup { group in
            for session in sessions { group.addTask { world.connect(session) } }
            for part in 0..<4 {
                group.addTask {
                    for number in 0..<250 { world.accept("\(part)-\(number)") }
                }
            }
        }
        while acknowledged.counts.count < 1_000 { await Task.yield() }
        await world.dispatcher.drain()
        #expect(world.store.open.count == 0)
        #expect(acknowledged.counts.values.allSatisfy { $0 == 1 })
        #expect(sessions.reduce(0) { $0 + $1.messages.count } == 1_000)
    }
}

private final class Acknowledgements: Sendable {
    private let table = Mutex<[UpstreamID: Int]>([:])

    var counts: [UpstreamID: Int] { table.withLock { $0 } }

    func add(_ id: UpstreamID) {
        table.withLock { $0[id, default: 0] += 1 }
    }
}

/// One random course of events, and what is known about it from outside.
private struct Schedule {
    private static let window = 3

    private let world = UpstreamWorld(window: window)
    private var generator: SeededGenerator
    private var sessions: [RecordingSession] = []
    private var retired: [RecordingSession] = []
    /// Stored and not yet told of.
    private var untold: [UpstreamMessage] = []
    private var acknowledged: Set<UpstreamID> = []
    private var stored: [UpstreamMessage] = []
    /// How many deliveries of a session were looked at.
    private var seen: [ObjectIdentifier: Int] = [:]
    private var held: [ObjectIdentifier: [UpstreamMessage]] = [:]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func step() async {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<6: store(tells: true)
        case 6: store(tells: false)
        case 7: tell()
        case 8: connect()
        case 9: disconnect()
        case 10..<16: acknowledge()
        case 16: acknowledgeElsewhere()
        case 17: beat()
        case 18:
            await Task.yield()
            await world.dispatcher.drain()
        default: fail()
        }
        look()
    }

    private mutating func store(tells: Bool) {
        let seconds: Int64 = Int.random(in: 0..<10, using: &generator) == 0 ? 2 : 86_400
        let message = world.add("m\(stored.count)", lifetimeSeconds: seconds)
        stored.append(message)
        if tells { world.dispatcher.accepted(message) } else { untold.append(message) }
    }

    private mutating func tell() {
        guard let place = untold.indices.randomElement(using: &generator) else { return }
        world.dispatcher.accepted(untold.remove(at: place))
    }

    private mutating func connect() {
        guard sessions.count < 4 else { return }
        sessions.append(world.connected())
    }

    private mutating func disconnect() {
        guard let place = sessions.indices.randomElement(using: &generator) else { return }
        let session = sessions.remove(at: place)
        world.disconnect(session)
        held[ObjectIdentifier(session)] = nil
        retired.append(session)
    }

    private mutating func acknowledge() {
        guard let session = sessions.randomElement(using: &generator) else { return }
        guard let message = held[ObjectIdentifier(session)]?.randomElement(using: &generator) else { return }
        let counts = world.acknowledge(message.content.messageID, by: session)
        held[ObjectIdentifier(session)]?.removeAll { $0.id == message.id }
        if counts { acknowledged.insert(message.id) }
        #expect(counts || message.content.expiresAt <= world.clock.now())
    }

    private mutating func acknowledgeElsewhere() {
        guard let session = retired.randomElement(using: &generator) ?? sessions.first,
            let message = stored.randomElement(using: &generator),
            held[ObjectIdentifier(session)]?.contains(where: { $0.id == message.id }) != true
        else { return }
        #expect(!world.acknowledge(message.content.messageID, by: session))
    }

    private mutating func beat() {
        world.clock.set(world.clock.now().adding(seconds: 1))
        let now = world.clock.now()
        world.beat()
        for key in held.keys { held[key]?.removeAll { $0.content.expiresAt <= now } }
    }

    private mutating func fail() {
        if Bool.random(using: &generator) { world.store.failReads(1) } else { world.store.failClosing(1) }
    }

    /// Takes note of new deliveries and judges them.
    private mutating func look() {
        for session in sessions {
            let key = ObjectIdentifier(session)
            let messages = session.messages
            for message in messages.dropFirst(seen[key, default: 0]) {
                #expect(!acknowledged.contains(message.id), "came again after its acknowledgement")
                if held[key]?.contains(where: { $0.id == message.id }) == true { continue }
                let isElsewhere = held.contains { $0.key != key && $0.value.contains { $0.id == message.id } }
                #expect(!isElsewhere, "two connections have it")
                held[key, default: []].append(message)
            }
            seen[key] = messages.count
            #expect(held[key, default: []].count <= Self.window)
        }
    }

    /// Everything that has not expired arrives in the end.
    mutating func finish() async {
        world.store.failReads(0)
        world.store.failClosing(0)
        for message in untold { world.dispatcher.accepted(message) }
        connect()
        for _ in 0..<400 {
            for _ in 0..<4 { acknowledge() }
            look()
            await world.dispatcher.drain()
            await Task.yield()
            world.beat()
            look()
        }
        let now = world.clock.now()
        let missing = stored.filter { !acknowledged.contains($0.id) && $0.content.expiresAt > now }
        #expect(missing.count == 0)
        // What was acknowledged is closed, also after the store has failed.
        while world.store.open.count > 0 {
            world.beat()
            await Task.yield()
        }
    }
}
