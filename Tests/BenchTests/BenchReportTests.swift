import NewsflashStrictJSON
import Testing

@testable import NewsflashBench

@Suite(.timeLimit(.minutes(1)))
struct BenchReportTests {
    private func lap(events: Int, seconds: Double, cpu: Double, steps: [BenchStep: Double] = [:]) -> BenchLap {
        BenchLap(
            events: events,
            requests: events,
            seconds: seconds,
            cpu: cpu,
            steps: steps,
            peak: 100_000_000,
            toFirst: 0.5
        )
    }

    private func report(rate: Int? = nil) -> BenchReport {
        var settings = BenchSettings(rounds: 3)
        settings.rate = rate
        let machine = BenchMachine(cores: 2, processor: "a processor", kernel: "6.1.0", isDebugBuild: false)
        var report = BenchReport(settings: settings, machine: machine)
        report.bare = [1.0, 2, 4].map { lap(events: 1000, seconds: $0, cpu: 0.02) }
        report.worker = [4.0, 10, 8].map {
            lap(events: 1000, seconds: $0, cpu: 0.1, steps: [.publishing: 0.06, .http: 0.03])
        }
        report.allocations = 12.34
        return report
    }

    @Test func `the ratio is the median of the ratios of laps in one round`() {
        #expect(report().rateRatio == 0.25)
        #expect(report().cpuRatio.rounded(places: 6) == 5)
        #expect(report().cpuPerEvent(of: .publishing).rounded(places: 6) == 60)
        #expect(BenchReport.median([]) == 0)
        #expect(BenchReport.median([4, 1, 3, 2]) == 2.5)
    }

    @Test func `the report for people shows the compared programs and the figures`() {
        let text = report().text
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        for part in [
            "200000 events", "41 partitions", "2 cores, a processor, Linux 6.1.0", "embedded cluster",
            "newsflash / bare libcurl: events/s 0.25, CPU 5.00", "12.3", "500 ms",
        ] {
            #expect(text.contains(part), "\(part) is missing in\n\(text)")
        }
        #expect(!text.contains("Latency"))
        #expect(!text.contains("debug"))
        #expect(!text.contains("twice"))
    }

    @Test func `the report shows what was sent twice after kills`() throws {
        var report = report()
        report.kills = KillFigures(withoutCrash: 0, doubles: [3, 41])
        #expect(report.text.contains("Sent twice after each kill -9 at full speed: 3, 41"))
        #expect(!report.text.contains("before anything was killed"))
        report.kills?.withoutCrash = 2
        #expect(report.text.contains("Sent twice before the first kill: 2"))
        #expect(
            String(decoding: report.json, as: UTF8.self).contains(#""kills":{"sentTwice":[3,41],"sentTwiceBefore":2}"#)
        )
    }

    @Test func `the report warns of a debug build and of sends that came twice`() {
        var report = report()
        report.machine.isDebugBuild = true
        report.worker[1].requests += 3
        #expect(report.text.contains("A debug build"))
        #expect(report.text.contains("3 requests were sent twice"))
    }

    @Test func `at a steady rate there are latencies and no ratio of rates`() throws {
        var report = report(rate: 1000)
        for index in report.worker.indices {
            report.worker[index].latency = LatencyFigures(of: (1...100).map { $0 * 1_000_000 })
        }
        #expect(report.text.contains("p50 50.0, p90 90.0, p99 99.0, max 100.0"))
        #expect(report.text.contains("newsflash / bare libcurl: CPU 5.00"))
        let median = try JSONReader.read(report.json)[member: "median"]
        #expect(median?[member: "rateRatio"] == nil)
        #expect(median?[member: "newsflash"]?[member: "latency"]?[member: "p99"]?.double == 99)
    }

    @Test func `the report for scripts has the same figures`() throws {
        let json = try JSONReader.read(report().json)
        #expect(json[member: "settings"]?[member: "events"]?.int64 == 200_000)
        #expect(json[member: "machine"]?[member: "build"]?.string == "release")
        #expect(json[member: "rounds"]?.array?.count == 3)
        let median = json[member: "median"]
        #expect(median?[member: "rateRatio"]?.double == 0.25)
        #expect(median?[member: "cpuRatio"]?.double == 5)
        #expect(median?[member: "bare"]?[member: "eventsPerSecond"]?.double == 500)
        #expect(median?[member: "newsflash"]?[member: "cpu"]?.double == 100)
        #expect(median?[member: "newsflash"]?[member: "peakMemory"]?.double == 100_000_000)
        #expect(median?[member: "newsflash"]?[member: "firstRequestAfter"]?.double == 500)
        #expect(median?[member: "cpuByThread"]?[member: "http"]?.double == 30)
        #expect(json[member: "swiftAllocationsPerEvent"]?.double == 12.34)
    }
}
