import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Upstream messages` {
    @Test func `go out at once to a connection with room, in order`() {
        let world = UpstreamWorld()
        let session = world.connected()
        let reads = world.store.reads
        for name in ["a", "b", "c"] { world.accept(name) }
        #expect(session.names == ["a", "b", "c"])
        #expect(world.store.reads == reads, "nothing waits, so nothing need be read")
    }

    @Test func `wait in the store until somebody connects`() {
        let world = UpstreamWorld()
        for name in ["a", "b"] { world.accept(name) }
        #expect(world.connected().names == ["a", "b"])
    }

    @Test func `wait until an acknowledgement makes room`() async {
        let world = UpstreamWorld(window: 2)
        let session = world.connected()
        for name in ["a", "b", "c", "d"] { world.accept(name) }
        #expect(session.names == ["a", "b"])
        #expect(world.acknowledge("b", by: session))
        #expect(session.names == ["a", "b", "c"])
        #expect(world.acknowledge("a", by: session))
        #expect(session.names == ["a", "b", "c", "d"])
        await world.dispatcher.drain()
        #expect(world.store.open.map(\.content.messageID) == ["c", "d"])
    }

    @Test func `are spread over the connections of the project`() {
        let world = UpstreamWorld(window: 10)
        let sessions = [world.connected(), world.connected(), world.connected()]
        for number in 1...9 { world.accept("\(number)") }
        #expect(sessions.map(\.names) == [["1", "4", "7"], ["2", "5", "8"], ["3", "6", "9"]])
    }

    @Test func `pass over a connection that acknowledges nothing`() {
        let world = UpstreamWorld(window: 2)
        let silent = world.connected()
        let diligent = world.connected()
        diligent.onDelivery { [world, unowned diligent] message in
            _ = world.acknowledge(message.content.messageID, by: diligent)
        }
        for number in 1...10 { world.accept("\(number)") }
        #expect(silent.names.count == 2)
        #expect(diligent.names.count == 8)
    }

    @Test func `do not reach another project`() {
        let world = UpstreamWorld()
        let session = world.connected()
        world.accept("a", project: ProjectNumber(value: 2))
        #expect(session.names.isEmpty)
        let other = RecordingSession()
        world.connect(other, project: ProjectNumber(value: 2))
        #expect(other.names == ["a"])
    }

    @Test func `go to another connection when theirs ends`() {
        let world = UpstreamWorld()
        let first = world.connected()
        world.accept("a")
        let second = world.connected()
        world.accept("b")
        world.disconnect(first)
        #expect(second.names == ["b", "a"])
        world.disconnect(second)
        #expect(world.connected().names == ["a", "b"])
    }

    @Test func `are acknowledged only by the connection that has them, XMP-12`() async {
        let world = UpstreamWorld()
        let first = world.connected()
        world.accept("u-12")
        world.disconnect(first)
        #expect(!world.acknowledge("u-12", by: first))
        let second = RecordingSession()
        #expect(!world.acknowledge("u-12", by: second))
        world.connect(second)
        #expect(second.names == ["u-12"])
        #expect(world.acknowledge("u-12", by: second))
        #expect(!world.acknowledge("u-12", by: second))
        world.disconnect(second)
        #expect(world.connected().names.isEmpty)
        await world.dispatcher.drain()
        #expect(world.store.open.isEmpty)
    }

    @Test func `of two devices with the same id are told apart`() {
        let world = UpstreamWorld(window: 4)
        let session = world.connected()
        let first = world.accept("1", from: "x")
        let second = world.accept("1", from: "y")
        world.accept("1", from: "y")
        #expect(!world.acknowledge("1", from: "z", by: session))
        #expect(world.acknowledge("1", from: "y", by: session))
        #expect(world.acknowledge("1", from: nil, by: session))
        #expect(world.acknowledge("1", from: "y", by: session))
        #expect(!world.acknowledge("1", from: nil, by: session))
        #expect(session.messages.map(\.id).prefix(2) == [first.id, second.id])
    }

    @Test func `come again on the same connection when they are not acknowledged for long`() {
        let world = UpstreamWorld()
        let session = world.connected()
        world.accept("a")
        for _ in 1...2 { world.beat() }
        world.accept("b")
        for _ in 3...4 { world.beat() }
        #expect(session.names == ["a", "b", "a"])
        #expect(world.acknowledge("a", by: session))
        for _ in 5...6 { world.beat() }
        #expect(session.names == ["a", "b", "a", "b"])
        for _ in 7...9 { world.beat() }
        #expect(session.names == ["a", "b", "a", "b"])
    }

    @Test func `end with their time to live`() async {
        let world = UpstreamWorld(window: 1)
        let session = world.connected()
        world.accept("short", lifetimeSeconds: 10)
        world.accept("shorter", lifetimeSeconds: 5)
        world.accept("long")
        world.clock.set(world.clock.now().adding(seconds: 10))
        world.beat()
        #expect(session.names == ["short", "long"])
        #expect(!world.acknowledge("short", by: session))
        await world.dispatcher.drain()
        #expect(world.store.open.map(\.content.messageID) == ["long"])
    }

    @Test func `stop for a connection that is to end, which may still acknowledge`() {
        let world = UpstreamWorld()
        let session = world.connected()
        world.accept("a")
        world.dispatcher.stopDelivering(to: session, of: UpstreamWorld.project)
        world.accept("b")
        for _ in 1...5 { world.beat() }
        #expect(session.names == ["a"])
        #expect(world.acknowledge("a", by: session))
        #expect(world.connected().names == ["b"])
    }

    @Test func `wait for a store that does not answer`() {
        let world = UpstreamWorld()
        world.accept("a")
        world.store.failReads(2)
        let session = world.connected()
        world.accept("b")
        #expect(session.names.isEmpty)
        world.delays.fire()
        #expect(session.names.isEmpty)
        world.delays.fire()
        #expect(session.names == ["a", "b"])
    }

    @Test func `are closed when the store can again`() async throws {
        let world = UpstreamWorld()
        let session = world.connected()
        world.accept("a")
        world.store.failClosing(1)
        #expect(world.acknowledge("a", by: session))
        await world.dispatcher.drain()
        #expect(world.store.open.count == 1)
        world.disconnect(session)
        let next = world.connected()
        #expect(next.names.isEmpty, "acknowledged is acknowledged, whatever the store says")
        world.delays.fire()
        await world.dispatcher.drain()
        #expect(world.store.open.isEmpty)
    }

    @Test func `that were told of in another order go out in their own, each once`() {
        let world = UpstreamWorld()
        let session = world.connected()
        let first = world.add("a")
        let second = world.add("b")
        world.dispatcher.accepted(second)
        #expect(session.names == ["a", "b"])
        world.dispatcher.accepted(first)
        world.dispatcher.accepted(first)
        #expect(session.names == ["a", "b"])
    }

    @Test func `whose project is deleted are forgotten`() {
        let world = UpstreamWorld()
        let session = world.connected()
        world.store.lose(world.accept("a").id)
        for _ in 1...4 { world.beat() }
        #expect(session.names == ["a"])
        #expect(world.dispatcher.unacknowledged(of: UpstreamWorld.project) == 0)
    }

    @Test func `need no timer without connections`() {
        let world = UpstreamWorld()
        #expect(world.delays.count == 0)
        let session = world.connected()
        #expect(world.delays.count == 1)
        world.disconnect(session)
        world.beat()
        #expect(world.delays.count == 0)
        _ = world.connected()
        #expect(world.delays.count == 1)
    }
}
