import StrictJSON

extension BenchReport {
    /// For people: what was done, each round, the medians, where the time goes.
    var text: String {
        var lines = [
            "\(load.events) events in \(BenchLoad.partitions) partitions, \(load.concurrency) requests at a time, "
                + "\(load.locales.count) languages, \(load.categories) categories",
            "Kafka: embedded cluster. Hub: \(hub).",
            scenery,
            "",
            "       bare libcurl             whole worker             worker / bare",
            "round     a second  CPU an event   a second  CPU an event    rate     CPU",
        ]
        for (number, round) in rounds.enumerated() {
            lines.append(row("\(number + 1)", bare: round.bare, worker: round.worker))
        }
        let bare = BenchLap(rate: bareRate, cpu: bareCPU, threads: [:])
        let worker = BenchLap(rate: workerRate, cpu: workerCPU, threads: [:])
        lines.append(row("median", bare: bare, worker: worker, ratio: ratio))
        lines += [
            "",
            "bare libcurl: the same requests, ready made, sent by the same transport and nothing else.",
            "whole worker: from the topic to the hub, until the outcome of each event is confirmed.",
            "Both: over the middle 80 % of the events; CPU is that of all threads of this process.",
            "Where other programs are busy the rates mean little; the CPU columns hold better.",
        ]
        if !parts.isEmpty {
            lines += ["", "CPU an event by part, in µs" + "bare".leftPadded(to: 19) + "worker".leftPadded(to: 9)]
        }
        for (part, bare, worker) in parts { lines.append(row(part.rawValue, bare, worker)) }
        if ownCPU.worker > 0 { lines.append(row("all but what is for the bench only", ownCPU.bare, ownCPU.worker)) }
        if let idle {
            lines += ["", "Memory of this process, in MB"]
            lines.append("  before a worker".padded(to: 38) + idle.before.resident.megabytes.leftPadded(to: 7))
            lines.append(
                "  with a worker that has nothing to do".padded(to: 38) + idle.with.resident.megabytes.leftPadded(to: 7)
            )
        }
        if let peak {
            lines.append("  at most, with all events of the bench".padded(to: 38) + peak.megabytes.leftPadded(to: 7))
        }
        return lines.joined(separator: "\n")
    }

    /// For scripts: the same figures; rates an event and second, times in microseconds, memory in bytes.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [
            ("events", load.events), ("concurrency", load.concurrency), ("locales", load.locales.count),
            ("cores", cores),
        ] {
            writer.name(name)
            writer.value(value)
        }
        writer.name("hub")
        writer.value(hub)
        writer.name("rounds")
        writer.beginArray()
        for round in rounds {
            writer.beginObject()
            writer.lap("bare", rate: round.bare.rate, cpu: round.bare.cpu)
            writer.lap("worker", rate: round.worker.rate, cpu: round.worker.cpu)
            writer.number("ratio", round.worker.rate / round.bare.rate, places: 4)
            writer.endObject()
        }
        writer.endArray()
        writer.name("median")
        writer.beginObject()
        writer.lap("bare", rate: bareRate, cpu: bareCPU)
        writer.lap("worker", rate: workerRate, cpu: workerCPU)
        writer.number("ratio", ratio, places: 4)
        writer.number("cpuRatio", workerCPU / bareCPU, places: 4)
        writer.number("workerOwnMicroseconds", ownCPU.worker)
        writer.endObject()
        writer.name("microsecondsByPart")
        writer.beginObject()
        for (part, bare, worker) in parts { writer.times("\(part)", bare: bare, worker: worker) }
        writer.endObject()
        writer.name("memory")
        writer.beginObject()
        for (name, value) in [
            ("beforeWorker", idle?.before.resident), ("idle", idle?.with.resident), ("peak", peak),
        ] {
            guard let value else { continue }
            writer.name(name)
            writer.value(value)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private var scenery: String {
        hub == "emulator"
            ? "All of it, the hub too, runs in this process and shares \(cores) cores."
            : "All but the hub runs in this process, on \(cores) cores."
    }

    private func row(_ name: String, _ bare: Double, _ worker: Double) -> String {
        "  " + name.padded(to: 36) + bare.fixed(1).leftPadded(to: 8) + worker.fixed(1).leftPadded(to: 9)
    }

    private func row(_ name: String, bare: BenchLap, worker: BenchLap, ratio: Double? = nil) -> String {
        let laps = [bare, worker].map { lap in
            lap.rate.fixed(0).leftPadded(to: 11) + (lap.cpu.fixed(1) + " µs").leftPadded(to: 14)
        }
        let ratios = [ratio ?? worker.rate / bare.rate, worker.cpu / bare.cpu].map { $0.fixed(2).leftPadded(to: 8) }
        return name.padded(to: 7) + (laps + ratios).joined()
    }
}

extension JSONWriter {
    fileprivate mutating func number(_ name: String, _ value: Double, places: Int = 1) {
        self.name(name)
        self.value(value.rounded(places: places))
    }

    fileprivate mutating func times(_ name: String, bare: Double, worker: Double) {
        self.name(name)
        beginObject()
        number("bare", bare)
        number("worker", worker)
        endObject()
    }

    fileprivate mutating func lap(_ name: String, rate: Double, cpu: Double) {
        self.name(name)
        beginObject()
        number("perSecond", rate)
        number("microseconds", cpu)
        endObject()
    }
}

extension Int {
    fileprivate var megabytes: String { (Double(self) / 1e6).fixed(1) }
}
