import Telemetry
import Testing

@Suite struct `Metrics` {
    @Test func `render in the text format of Prometheus`() {
        let registry = MetricRegistry()
        registry.counters("pharos_sends_total", "Sends by\nresult \\ code.", labels: ["code", "door"])
            .series("200", "a\"b\\c\nd").increment(by: 3)
        registry.gauge("pharos_connections", "Open connections.").add(-2)
        registry.gauge("pharos_load", "Load.") { 0.25 }
        let histogram = registry.histogram("pharos_send_seconds", "Duration.", bounds: [0.5, 1])
        for value in [0.25, 0.5, 0.75, 2, .nan] { histogram.observe(value) }
        let expected = #"""
            # HELP pharos_connections Open connections.
            # TYPE pharos_connections gauge
            pharos_connections -2
            # HELP pharos_load Load.
            # TYPE pharos_load gauge
            pharos_load 0.25
            # HELP pharos_send_seconds Duration.
            # TYPE pharos_send_seconds histogram
            pharos_send_seconds_bucket{le="0.5"} 2
            pharos_send_seconds_bucket{le="1"} 3
            pharos_send_seconds_bucket{le="+Inf"} 4
            pharos_send_seconds_sum 3.5
            pharos_send_seconds_count 4
            # HELP pharos_sends_total Sends by\nresult \\ code.
            # TYPE pharos_sends_total counter
            pharos_sends_total{code="200",door="a\"b\\c\nd"} 3

            """#
        #expect(registry.page() == expected)
    }

    @Test func `of one name are one metric`() {
        let registry = MetricRegistry()
        registry.counter("a_total", "A.").increment()
        registry.counter("a_total", "A.").increment()
        #expect(registry.counter("a_total", "A.").value == 2)
    }

    @Test func `with too many label values share one series`() {
        let family = MetricRegistry().counters("a_total", "A.", labels: ["who"])
        for number in 0..<5000 { family.series("\(number)").increment() }
        #expect(family.series("4999").value == 4000)
        #expect(family.series("7").value == 1)
        #expect(family.series().value == family.series("other").value)
    }

    @Test func `lose nothing between threads`() async {
        let registry = MetricRegistry()
        let counter = registry.counter("a_total", "A.")
        let histogram = registry.histogram("b_seconds", "B.", bounds: [1])
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        counter.increment()
                        histogram.observe(0.5)
                    }
                }
            }
        }
        #expect(counter.value == 8000 && histogram.count == 8000 && histogram.sum == 4000)
    }

    @Test func `tell what the process uses`() {
        let registry = MetricRegistry()
        ProcessMetrics.register(in: registry)
        #expect(ProcessMetrics.residentBytes > 0 && ProcessMetrics.cpuSeconds > 0)
        #expect(registry.page().contains("process_resident_memory_bytes "))
    }
}
