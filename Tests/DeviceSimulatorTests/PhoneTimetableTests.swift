import EventLoop
import FirebasePlatform
import Testing
import Timekeeping

@testable import DeviceSimulator

@Suite struct `The timetable of a phone` {
    private static let start: Int64 = 1_800_000_000

    private static func notification(_ identifier: String, title: String, in seconds: Int64) -> LocalNotification {
        LocalNotification(
            identifier: identifier, title: title, at: LocalTime(secondsSince1970: start + 3600 + seconds))
    }

    @Test func `shows what is due by local time, the last of an identifier, and nothing that has passed`() async throws
    {
        let clock = VirtualClock(base: FixedClock(Timestamp(seconds: Self.start)))
        let loops = try EventLoopGroup(count: 1)
        defer { loops.shutDown() }
        let loop = loops.next()
        let timetable = PhoneTimetable(
            clock: PhoneClock(clock: clock, loop: loop), loop: loop, offsetSeconds: 3600)
        let (titles, continuation) = AsyncStream.makeStream(of: String.self)
        timetable.onDue { continuation.yield($0.title ?? "") }
        timetable.schedule(Self.notification("past", title: "past", in: -1))
        timetable.schedule(Self.notification("one", title: "replaced", in: 60))
        timetable.schedule(Self.notification("one", title: "one", in: 120))
        timetable.schedule(Self.notification("two", title: "two", in: 180))
        clock.advance(seconds: 119)
        clock.advance(seconds: 2)
        var shown = titles.makeAsyncIterator()
        #expect(await shown.next() == "one")
        timetable.removeAll()
        timetable.schedule(Self.notification("three", title: "three", in: 240))
        clock.advance(seconds: 600)
        #expect(await shown.next() == "three")
    }
}

private struct FixedClock: WallClock {
    let time: Timestamp

    init(_ time: Timestamp) {
        self.time = time
    }

    func now() -> Timestamp { time }
    func onJump(_ action: @escaping @Sendable () -> Void) {}
}
