import PushModel
import Testing
import Timekeeping

@testable import PushCore

@Suite struct `Rate of a project` {
    private static let start = Timestamp(seconds: 1_700_000_000)
    private static let one = ProjectNumber(value: 1)
    private static let other = ProjectNumber(value: 2)

    private let clock = ManualClock(start)

    private func pass(milliseconds: Int64) {
        clock.set(clock.now().adding(milliseconds: milliseconds))
    }

    private func rate(_ amount: Int, perMilliseconds milliseconds: Int64 = 1000) -> ProjectRate {
        ProjectRate(amount, perMilliseconds: milliseconds, clock: clock)
    }

    @Test func `a whole bucket may be taken at once, and fills up steadily`() {
        let rate = rate(3000)
        #expect(rate.take(2999, of: Self.one) && rate.take(1, of: Self.one))
        #expect(!rate.take(1, of: Self.one))
        pass(milliseconds: 1)
        #expect(!rate.take(4, of: Self.one))
        #expect(rate.take(3, of: Self.one) && !rate.take(1, of: Self.one))
        pass(milliseconds: 500)
        #expect(!rate.take(1501, of: Self.one))
        #expect(rate.take(1500, of: Self.one))
        pass(milliseconds: 3_600_000)
        #expect(rate.take(3000, of: Self.one) && !rate.take(1, of: Self.one))
    }

    @Test func `who asks in vain all the time still gets what fills up`() {
        let rate = rate(10)
        #expect(rate.take(10, of: Self.one))
        var taken = 0
        for _ in 0..<1000 {
            pass(milliseconds: 1)
            if rate.take(1, of: Self.one) { taken += 1 }
        }
        #expect((9...10).contains(taken))
    }

    @Test func `projects do not take from each other`() {
        let rate = rate(5)
        #expect(rate.take(5, of: Self.one) && !rate.take(1, of: Self.one))
        #expect(rate.take(5, of: Self.other))
    }

    @Test func `more than a bucket holds is charged as a whole one`() {
        let rate = rate(5)
        #expect(rate.take(1000, of: Self.one) && !rate.take(1, of: Self.one))
        pass(milliseconds: 999)
        #expect(!rate.take(1000, of: Self.one))
        pass(milliseconds: 1)
        #expect(rate.take(1000, of: Self.one))
    }

    @Test func `what is given back can be taken again, and no more`() {
        let rate = rate(5)
        rate.giveBack(5, to: Self.one)
        #expect(rate.take(4, of: Self.one))
        rate.giveBack(100, to: Self.one)
        #expect(rate.take(5, of: Self.one) && !rate.take(1, of: Self.one))
    }

    @Test func `a clock that was set back neither fills a bucket nor stops it from filling`() {
        let rate = rate(5)
        #expect(rate.take(5, of: Self.one))
        pass(milliseconds: -3_600_000)
        #expect(!rate.take(1, of: Self.one))
        pass(milliseconds: 200)
        #expect(rate.take(1, of: Self.one) && !rate.take(1, of: Self.one))
    }

    @Test func `full buckets are forgotten`() {
        let rate = rate(5)
        #expect(rate.take(5, of: Self.one))
        for number in 100..<100_000 as Range<UInt64> {
            _ = rate.take(1, of: ProjectNumber(value: number))
            pass(milliseconds: 1)
        }
        // Each is full again after 200 milliseconds.
        #expect(rate.size < 1000)
        #expect(rate.take(5, of: Self.one))
    }

    @Test func `buckets that are not full are kept, however many there are`() {
        let rate = rate(5)
        let projects = (1...1000 as ClosedRange<UInt64>).map { ProjectNumber(value: $0) }
        for project in projects { #expect(rate.take(5, of: project)) }
        #expect(projects.allSatisfy { !rate.take(1, of: $0) })
    }
}
