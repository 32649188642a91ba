import Dispatch
import NewsflashObservability
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    @Test func `the same name and dimensions give the same handle`() {
        let dimensions = [("a", "1"), ("b", "2")]
        #expect(registry.counter("c", dimensions: dimensions) === registry.counter("c", dimensions: dimensions))
        #expect(
            registry.counter("c", dimensions: dimensions) === registry.counter("c", dimensions: dimensions.reversed())
        )
        #expect(registry.counter("c") === registry.counter("c_total"))
        #expect(registry.counter("c") !== registry.counter("c", dimensions: dimensions))
        #expect(registry.gauge("g") === registry.gauge("g"))
        #expect(registry.histogram("h") === registry.histogram("h", buckets: [7]))
        #expect(registry.refusedNames.isEmpty)
    }

    @Test func `dimensions that are equal when joined stay separate`() {
        let first = registry.counter("c", dimensions: [("a", "1\",b=\"2")])
        let second = registry.counter("c", dimensions: [("a", "1"), ("b", "2")])
        #expect(first !== second)
    }

    @Test func `a counter never falls`() {
        let counter = registry.counter("c")
        counter.increment()
        counter.increment(by: 41)
        counter.increment(by: -5)
        counter.increment(by: 0)
        #expect(counter.value == 42)
    }

    @Test func `a gauge can be set and added to`() {
        let gauge = registry.gauge("g")
        gauge.set(10)
        gauge.add(2.5)
        gauge.add(-5)
        #expect(gauge.value == 7.5)
    }

    @Test(
        arguments: [
            (-1, [1, 1, 1], 0), (0, [1, 1, 1], 0), (1, [1, 1, 1], 1), (1.5, [0, 1, 1], 1.5), (2, [0, 1, 1], 2),
            (3, [0, 0, 1], 3), (.nan, [0, 0, 0], 0), (.infinity, [0, 0, 0], 0), (-.infinity, [0, 0, 0], 0),
        ] as [(Double, [Int], Double)]
    )
    func `an observation counts in each bucket with a sufficient limit`(value: Double, counts: [Int], sum: Double) {
        let histogram = registry.histogram("h", buckets: [1, 2])
        histogram.observe(value)
        let lines = registry.text().split(separator: "\n")
        #expect(
            lines.dropFirst().dropLast() == [
                "h_bucket{le=\"1.0\"} \(counts[0])", "h_bucket{le=\"2.0\"} \(counts[1])",
                "h_bucket{le=\"+Inf\"} \(counts[2])", "h_count \(counts[2])", "h_sum \(sum)",
            ]
        )
        #expect(histogram.count == UInt64(counts[2]) && histogram.sum == sum)
    }

    @Test func `buckets are sorted, and those that cannot be printed are left out`() {
        _ = registry.histogram("h", buckets: [2, 1, 2, .nan, .infinity, -1, 0])
        let bounds = registry.text().split(separator: "\n").filter { $0.hasPrefix("h_bucket") }
        #expect(bounds == ["h_bucket{le=\"1.0\"} 0", "h_bucket{le=\"2.0\"} 0", "h_bucket{le=\"+Inf\"} 0"])
    }

    @Test func `the default buckets go from 5 ms to a minute`() {
        #expect(Histogram.secondsBuckets.first == 0.005)
        #expect(Histogram.secondsBuckets.last == 60)
        #expect(Histogram.secondsBuckets == Histogram.secondsBuckets.sorted())
    }

    @Test(arguments: ["", "1a", "a-b", "a b", "ä", "a\nb", "_total", "a{", "a\u{0}"])
    func `an invalid name gives a detached handle`(name: String) {
        registry.counter(name).increment()
        registry.gauge(name + "-").set(1)
        registry.histogram(name + "-").observe(1)
        registry.gauge(name + "-") { 1 }
        #expect(registry.text() == "# EOF\n")
        #expect(registry.refusedNames == [name, name + "-"].sorted())
    }

    @Test(arguments: [
        [("", "x")], [("1", "x")], [("a-b", "x")], [("__a", "x")], [("a:b", "x")], [("a", "x"), ("a", "y")],
        [("le", "x")],
    ])
    func `an invalid dimension gives a detached handle`(dimensions: [(String, String)]) {
        registry.histogram("h", dimensions: dimensions).observe(1)
        #expect(registry.text() == "# EOF\n")
        #expect(registry.refusedNames == ["h"])
    }

    @Test func `a name requested as another kind gives a detached handle`() {
        let counter = registry.counter("events")
        counter.increment()
        let gauge = registry.gauge("events")
        gauge.set(7)
        #expect(gauge.value == 7)
        #expect(registry.gauge("events") !== gauge)
        registry.histogram("events").observe(1)
        #expect(registry.text() == "# TYPE events counter\nevents_total 1\n# EOF\n")
        #expect(registry.refusedNames == ["events"])
    }

    @Test(arguments: ["h_bucket", "h_count", "h_sum", "h_created"])
    func `a name that is equal to another family's samples gives a detached handle`(name: String) {
        _ = registry.histogram("h")
        registry.gauge(name).set(1)
        #expect(registry.refusedNames == [name])
    }

    @Test func `a name whose samples are equal to another family's name gives a detached handle`() {
        registry.gauge("events_total").set(1)
        registry.counter("events").increment()
        #expect(registry.text() == "# TYPE events_total gauge\nevents_total 1.0\n# EOF\n")
        #expect(registry.refusedNames == ["events"])
    }

    @Test func `the number of refused names is bounded`() {
        for index in 0..<1000 { _ = registry.gauge("-\(index)") }
        #expect(registry.refusedNames.count == 100)
    }

    @Test func `a computed gauge and a set one share no series`() {
        registry.gauge("computed") { 1 }
        registry.gauge("computed").set(2)
        registry.gauge("set").set(3)
        registry.gauge("set") { 4 }
        #expect(registry.text() == "# TYPE computed gauge\ncomputed 1.0\n# TYPE set gauge\nset 3.0\n# EOF\n")
    }

    @Test func `a computed count is shown as a counter`() {
        registry.counter("process_cpu_seconds_total", help: "Spent.", unit: "seconds") { 1.25 }
        let lines = ["# TYPE process_cpu_seconds counter", "# UNIT process_cpu_seconds seconds"]
        #expect(
            registry.text()
                == (lines + ["# HELP process_cpu_seconds Spent.", "process_cpu_seconds_total 1.25", "# EOF\n"])
                .joined(separator: "\n")
        )
        #expect(
            registry.text(.prometheus).contains(
                "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1.25"
            )
        )
    }

    @Test func `a computed gauge may use the registry`() {
        registry.gauge("g") { [registry] in Double(registry.counter("c").value) }
        registry.counter("c").increment(by: 3)
        #expect(registry.text().contains("g 3.0\n"))
        // The registry and the closure retain each other until the series is removed.
        registry.remove("g", dimensions: [])
    }

    @Test func `a removed series disappears from the text and starts again at zero`() {
        func lag(_ partition: Int) -> Gauge { registry.gauge("lag", dimensions: [("partition", "\(partition)")]) }
        for partition in 0..<4 { lag(partition).set(1) }
        let removed = lag(1)
        registry.remove("lag", dimensions: [("partition", "1")])
        registry.remove("lag", dimensions: [("partition", "9")])
        registry.remove("none", dimensions: [])
        removed.set(5)
        lag(3).set(3)
        func lines() -> [Substring] { Array(registry.text().split(separator: "\n").dropFirst().dropLast()) }
        #expect(lines() == ["lag{partition=\"0\"} 1.0", "lag{partition=\"2\"} 1.0", "lag{partition=\"3\"} 3.0"])
        #expect(lag(1) !== removed)
        #expect(lines().last == "lag{partition=\"1\"} 0.0")
    }

    @Test(arguments: ["c", "c_total"])
    func `a counter is removed by either of its names`(name: String) {
        registry.counter("c", dimensions: [("a", "1"), ("b", "2")]).increment()
        registry.remove(name, dimensions: [("b", "2"), ("a", "1")])
        #expect(registry.text() == "# EOF\n")
    }

    @Test func `no increment of many threads is lost`() async {
        let registry = registry
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 1000) { index in
                    registry.counter("c", dimensions: [("n", "\(index % 3)")]).increment()
                    registry.gauge("g").add(1)
                    registry.histogram("h").observe(1)
                }
                continuation.resume()
            }
        }
        #expect((0..<3).map { registry.counter("c", dimensions: [("n", "\($0)")]).value }.reduce(0, +) == 1000)
        #expect(registry.gauge("g").value == 1000)
        #expect(registry.histogram("h").count == 1000)
        #expect(registry.histogram("h").sum == 1000)
    }
}
