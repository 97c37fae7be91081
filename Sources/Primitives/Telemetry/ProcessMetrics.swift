internal import Glibc

/// What the operating system knows about this process, under the names that Prometheus' own clients use.
public enum ProcessMetrics {
    public static func register(in registry: MetricRegistry) {
        registry.gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.") {
            Double(residentBytes)
        }
        registry.counter("process_cpu_seconds_total", "Processor time of the process, user and system.") { cpuSeconds }
    }

    /// Resident memory in bytes; 0 where the system does not tell.
    public static var residentBytes: Int {
        let fields = firstLine(of: "/proc/self/statm").split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages.multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE))).partialValue
    }

    /// Processor time, user and system, in seconds.
    public static var cpuSeconds: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static func firstLine(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
