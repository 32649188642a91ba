import NewsflashCommands
import NewsflashOperations

extension BenchReport {
    /// The report as text: settings, each round, medians, CPU by thread.
    var text: String {
        var lines = heading
        lines += ["", "                     events/s    CPU µs   peak MB  first request after"]
        for (number, (bare, worker)) in zip(bare, worker).enumerated() {
            lines.append(row("\(number + 1)", "libcurl", [bare]))
            lines.append(row("\(number + 1)", "newsflash", [worker]))
        }
        lines.append(row("median", "libcurl", bare))
        lines.append(row("median", "newsflash", worker))
        lines += ["", "newsflash / bare libcurl: " + ratios]
        lines += ["", "CPU of newsflash by thread, µs per event (median)"]
        for step in BenchStep.allCases {
            lines.append("  " + step.title.padded(to: 44) + cpuPerEvent(of: step).fixed(1).leftPadded(to: 8))
        }
        if let latencies { lines += ["", "Latency from the due time of an event to its request, in ms: " + latencies] }
        if let allocations {
            lines += ["", "Swift allocations per event, counted in a separate lap: \(allocations.fixed(1))"]
        }
        if let kills {
            let list = kills.doubles.map(String.init).joined(separator: ", ")
            lines += ["", "Sent twice after each kill -9 at full speed: \(list)"]
            if kills.withoutCrash > 0 { lines.append("Sent twice before the first kill: \(kills.withoutCrash)") }
        }
        let repeated = worker.reduce(0) { $0 + $1.requests - $1.events }
        if repeated > 0 { lines += ["", "\(repeated) requests were sent twice."] }
        return lines.joined(separator: "\n")
    }

    private var heading: [String] {
        let answers = settings.delay == 0 ? "at once" : "after \(settings.delay) ms"
        let pace = settings.rate.map { "written at \($0) per second" } ?? "in the topic before it starts"
        let kafka =
            settings.brokers.map { "Kafka: \($0)." }
            ?? "Kafka: librdkafka's embedded cluster, in which a group takes 3 s to form; fetch.wait.max.ms is 10."
        var lines = [
            "\(settings.events) events of 600 to 900 bytes in \(settings.sourcePartitions) partitions, \(pace); "
                + "\(settings.inFlight) requests in flight;",
            "the sink answers 201 \(answers). \(machine.cores) cores, \(machine.processor), Linux \(machine.kernel).",
            kafka,
            "libcurl: its multi interface, a fixed request, \(settings.bareRequests) times, no Kafka.",
            "newsflash: 'newsflash run', default settings, ledger and outcomes on. Each part runs in its own process.",
        ]
        if machine.isDebugBuild { lines.append("A debug build: its figures are meaningless. Build with -c release.") }
        return lines
    }

    private var ratios: String {
        let cpu = "CPU \(cpuRatio.fixed(2))"
        // At a steady rate the loader determines the events per second, not the worker.
        return settings.rate == nil ? "events/s \(rateRatio.fixed(2)), \(cpu)" : cpu
    }

    private var latencies: String? {
        let values = [
            ("p50", latency(\.median)), ("p90", latency(\.p90)), ("p99", latency(\.p99)), ("max", latency(\.most)),
        ]
        let texts = values.compactMap { name, value in value.map { "\(name) \($0.fixed(1))" } }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private func row(_ round: String, _ name: String, _ laps: [BenchLap]) -> String {
        func median(_ value: (BenchLap) -> Double, _ places: Int, _ width: Int) -> String {
            Self.median(laps.map(value)).fixed(places).leftPadded(to: width)
        }
        return round.padded(to: 8) + name.padded(to: 10) + median(\.rate, 0, 11) + median(\.cpuPerEvent, 1, 10)
            + median({ Double($0.peak) / 1e6 }, 1, 10) + median({ $0.toFirst * 1000 }, 0, 11) + " ms"
    }
}
