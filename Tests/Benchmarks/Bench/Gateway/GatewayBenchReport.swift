import NewsflashStrictJSON

/// The figures of a gateway benchmark.
struct GatewayBenchReport: Sendable {
    /// The resources that a process used while devices registered.
    struct Part: Sendable {
        /// Processor time per registration, in microseconds.
        var cpu: Double
        /// The peak memory, in bytes.
        var peak: Int

        /// Computes the difference of two snapshots.
        init(from before: ProcessSnapshot, to after: ProcessSnapshot, _ registrations: Int) {
            func ticks(_ look: ProcessSnapshot) -> Int { look.threads.reduce(0) { $0 + $1.ticks } }
            let seconds = Double(ticks(after) - ticks(before)) / Double(ProcessSnapshot.ticksPerSecond)
            cpu = seconds * 1e6 / Double(registrations)
            peak = after.peak ?? 0
        }
    }

    var settings: GatewayBenchSettings
    var machine: BenchMachine
    var figures: RegistrationFigures
    var gateway: Part
    var hub: Part

    /// The report as text.
    var text: String {
        let latency = figures.latency
        let times = [("p50", latency.median), ("p90", latency.p90), ("p99", latency.p99), ("max", latency.most)]
            .map { name, value in "\(name) \((Double(value) / 1e6).fixed(1))" }
        var lines = [
            "\(settings.registrations) devices of \(GatewayBenchStage.users.count) users register through 'newsflash gateway' "
                + "at 'newsflash hub', \(settings.rate) per second.",
            "Each requests an ID and puts its registration: two requests to the gateway, three to the hub.",
            "\(machine.cores) cores, \(machine.processor), Linux \(machine.kernel); gateway, hub and load run separately.",
        ]
        if machine.isDebugBuild { lines.append("A debug build: its figures are meaningless. Build with -c release.") }
        let rate = figures.seconds > 0 ? Double(figures.registered) / figures.seconds : 0
        lines += [
            "", "registered: \(figures.registered) of \(settings.registrations), \(rate.fixed(0)) per second",
            "latency from the due time to the second response, in ms: " + times.joined(separator: ", "),
            "CPU per registration: gateway \(gateway.cpu.fixed(0)) µs, hub \(hub.cpu.fixed(0)) µs",
            "peak memory: gateway \((Double(gateway.peak) / 1e6).fixed(0)) MB, hub \((Double(hub.peak) / 1e6).fixed(0)) MB",
        ]
        for (refusal, count) in figures.refusals.sorted(by: { $0.key < $1.key }) {
            lines.append("not registered: \(count), \(refusal)")
        }
        return lines.joined(separator: "\n")
    }

    /// The report as JSON: times in milliseconds and microseconds, memory in bytes.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        func number(_ name: String, _ value: Int) {
            writer.name(name)
            writer.value(value)
        }
        func number(_ name: String, _ value: Double) {
            writer.name(name)
            writer.value(value.rounded(places: 2))
        }
        number("registrations", settings.registrations)
        number("rate", settings.rate)
        number("registered", figures.registered)
        number("seconds", figures.seconds)
        for (name, value) in [
            ("p50", figures.latency.median), ("p90", figures.latency.p90), ("p99", figures.latency.p99),
            ("max", figures.latency.most),
        ] {
            number(name, Double(value) / 1e6)
        }
        number("gatewayMicroseconds", gateway.cpu)
        number("hubMicroseconds", hub.cpu)
        number("gatewayMemory", gateway.peak)
        number("hubMemory", hub.peak)
        number("refused", figures.refusals.values.reduce(0, +))
        number("cores", machine.cores)
        writer.endObject()
        return writer.bytes
    }
}
