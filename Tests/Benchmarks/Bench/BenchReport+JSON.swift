import NewsflashStrictJSON
import NewsflashWorker

extension BenchReport {
    /// The report as JSON: rates per second, CPU in microseconds per event, memory in bytes, times in milliseconds.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("version", WorkerVersion.current)
        writer.settings(settings)
        writer.name("machine")
        writer.beginObject()
        writer.member("cores", Int64(machine.cores))
        writer.member("processor", machine.processor)
        writer.member("kernel", machine.kernel)
        writer.member("build", machine.isDebugBuild ? "debug" : "release")
        writer.endObject()
        writer.name("rounds")
        writer.beginArray()
        for (bare, worker) in zip(bare, worker) {
            writer.beginObject()
            writer.laps("bare", [bare])
            writer.laps("newsflash", [worker])
            writer.endObject()
        }
        writer.endArray()
        writer.name("median")
        writer.beginObject()
        writer.laps("bare", bare)
        writer.laps("newsflash", worker)
        if settings.rate == nil { writer.number("rateRatio", rateRatio, places: 4) }
        writer.number("cpuRatio", cpuRatio, places: 4)
        writer.name("cpuByThread")
        writer.beginObject()
        for step in BenchStep.allCases { writer.number(step.rawValue, cpuPerEvent(of: step), places: 2) }
        writer.endObject()
        writer.endObject()
        if let allocations { writer.number("swiftAllocationsPerEvent", allocations, places: 2) }
        if let kills {
            writer.name("kills")
            writer.beginObject()
            writer.name("sentTwice")
            writer.beginArray()
            for doubles in kills.doubles { writer.value(Int64(doubles)) }
            writer.endArray()
            writer.member("sentTwiceBefore", Int64(kills.withoutCrash))
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func number(_ name: String, _ value: Double, places: Int) {
        self.name(name)
        self.value(value.rounded(places: places))
    }

    fileprivate mutating func settings(_ settings: BenchSettings) {
        name("settings")
        beginObject()
        member("events", Int64(settings.events))
        member("partitions", Int64(settings.sourcePartitions))
        member("inFlight", Int64(settings.inFlight))
        member("delay", Int64(settings.delay))
        if let rate = settings.rate { member("rate", Int64(rate)) }
        member("kafka", settings.brokers ?? "embedded")
        member("bareRequests", Int64(settings.bareRequests))
        endObject()
    }

    /// Writes the figures of one lap, or the medians of several.
    fileprivate mutating func laps(_ name: String, _ laps: [BenchLap]) {
        func median(_ value: (BenchLap) -> Double) -> Double { BenchReport.median(laps.map(value)) }
        self.name(name)
        beginObject()
        number("eventsPerSecond", median(\.rate), places: 1)
        number("cpu", median(\.cpuPerEvent), places: 2)
        number("peakMemory", median { Double($0.peak) }, places: 0)
        number("firstRequestAfter", median { $0.toFirst * 1000 }, places: 1)
        number("requests", median { Double($0.requests) }, places: 0)
        let latencies = laps.compactMap(\.latency)
        if !latencies.isEmpty {
            self.name("latency")
            beginObject()
            for (name, value) in [
                ("p50", \LatencyFigures.median), ("p90", \.p90), ("p99", \.p99), ("max", \.most),
            ] {
                number(name, BenchReport.median(latencies.map { Double($0[keyPath: value]) / 1e6 }), places: 3)
            }
            endObject()
        }
        endObject()
    }
}
