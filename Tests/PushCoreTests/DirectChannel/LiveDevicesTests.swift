import PushCore
import Synchronization
import Testing

@Suite struct `Connected devices` {
    typealias Session = DirectChannelWorld.Session

    @Test func `the newest session takes the place of the older one, which is told`() {
        let live = LiveDevices()
        let (old, new) = (Session(), Session())
        #expect(live.enter(old, device: 1) == nil)
        #expect(live.enter(new, device: 1) === old)
        #expect(live.session(of: 1) === new)
        #expect(live.count == 1)
        // The one that was replaced leaves later, and must not take the newer one with it.
        #expect(!live.leave(old, device: 1))
        #expect(live.isConnected(1))
        #expect(live.leave(new, device: 1))
        #expect(!live.leave(new, device: 1))
        #expect(!live.isConnected(1) && live.session(of: 1) == nil && live.all.isEmpty)
    }

    @Test(arguments: [0, 1, 3]) func `any number of shards holds any device`(shards: Int) {
        let live = LiveDevices(shards: shards)
        let devices: [UInt64] = [0, 1, 2, 42, 1 << 31, 1 << 32, 1 << 63, .max]
        for device in devices { #expect(live.enter(Session(), device: device) == nil) }
        #expect(live.count == devices.count && live.all.count == devices.count)
        #expect(devices.allSatisfy { live.isConnected($0) })
        #expect(!live.isConnected(3))
    }

    @Test func `many threads at once leave one session for each device`() async {
        let live = LiveDevices(shards: 4)
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        let device = UInt64((round * 7 + worker) % 40)
                        let session = Session()
                        if live.enter(session, device: device) == nil { counter.add(1) }
                        _ = live.isConnected(device)
                        if round.isMultiple(of: 3), live.leave(session, device: device) { counter.add(-1) }
                    }
                }
            }
        }
        #expect(live.count == counter.count)
        #expect(live.count <= 40)
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }
    func add(_ change: Int) { value.withLock { $0 += change } }
}
