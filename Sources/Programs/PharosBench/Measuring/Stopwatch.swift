import EventLoop
import Glibc
import JSON

/// Wall clock and processor time of this process since its making.
struct Stopwatch {
    private let start = MonotonicTime.now()
    private let processorMicroseconds = Self.processorTime()

    var seconds: Double {
        Double(MonotonicTime.now().since(start).wholeNanoseconds) / 1e9
    }

    /// Rate, and processor time of all threads, for so many operations.
    func report(_ operations: Int) -> JSONObject {
        let seconds = max(seconds, 1e-9)
        let processor = Double(Self.processorTime() - processorMicroseconds)
        return [
            "operations": .integer(Int64(operations)), "seconds": .rounded(seconds),
            "per_second": .rounded(Double(operations) / seconds),
            "cpu_us": .rounded(processor / Double(max(operations, 1))),
        ]
    }

    /// Processor time of the calling thread, in microseconds: other work on the machine hardly changes it.
    static func threadMicroseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// User and system time in microseconds.
    private static func processorTime() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}

extension JSONValue {
    /// A measured number with three digits after the point.
    static func rounded(_ value: Double) -> JSONValue {
        JSONNumber((value * 1000).rounded() / 1000).map { .number($0) } ?? .null
    }
}
