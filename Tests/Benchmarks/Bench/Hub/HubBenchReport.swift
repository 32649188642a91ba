import NewsflashStrictJSON

/// The figures of a hub of one size.
struct HubBenchStage {
    var registrations: Int
    /// Registrations per second while it grew to this size; `nil` if it did not grow.
    var registered: Double?
    /// The median time to accept a send.
    var median: Duration
    /// The 99th percentile of the time to accept a send.
    var slow: Duration
    /// Sends per second, over the loopback network.
    var rate: Double
    /// Processor time per send in microseconds, including the client.
    var cpu: Double
    /// The time to accept a send to all devices.
    var everyoneAccepted: Duration
    /// The time until every device has that send.
    var everyoneFound: Duration
    /// The memory of this process in bytes, before the sends.
    var memory: Int?
    /// The additional memory compared with the empty hub, per registration.
    var bytesPerRegistration: Double?
}

/// The figures of all sizes.
struct HubBenchReport {
    var stages: [HubBenchStage]
    var sends: Int
    var concurrency: Int
    var cores: Int

    /// The report as text.
    var text: String {
        var lines = [
            "The hub emulator and its clients in one process, on \(cores) cores.",
            "Each send is a template message to a tag that \(HubBenchLoad.targets) devices have.",
            "",
            "               registered   accepted within        sends        CPU       to everyone   memory  bytes per",
            "registrations  per second     p50       p99   per second   per send  accepted     done       MB  registration",
        ]
        for stage in stages {
            lines.append(
                "\(stage.registrations)".leftPadded(to: 13)
                    + (stage.registered.map { $0.fixed(0) } ?? "").leftPadded(to: 12)
                    + (stage.median.inMicroseconds.fixed(0) + " µs").leftPadded(to: 10)
                    + (stage.slow.inMicroseconds.fixed(0) + " µs").leftPadded(to: 10)
                    + stage.rate.fixed(0).leftPadded(to: 11)
                    + (stage.cpu.fixed(0) + " µs").leftPadded(to: 11)
                    + (stage.everyoneAccepted.inMicroseconds.fixed(0) + " µs").leftPadded(to: 10)
                    + ((stage.everyoneFound.inMicroseconds / 1000).fixed(0) + " ms").leftPadded(to: 9)
                    + (stage.memory.map { (Double($0) / 1e6).fixed(1) } ?? "").leftPadded(to: 9)
                    + (stage.bytesPerRegistration.map { $0.fixed(0) } ?? "").leftPadded(to: 12)
            )
        }
        lines += [
            "",
            "registered, accepted: one request after another, without network.",
            "sends per second: \(sends) sends over the loopback network, \(concurrency) at a time, over the middle 80 %.",
            "to everyone: one send to all devices, without network; done when each device has it.",
            "memory: of the process, before the sends; bytes per registration: in addition to an empty hub.",
        ]
        return lines.joined(separator: "\n")
    }

    /// The report as JSON: rates per second, times in microseconds, memory in bytes.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [
            ("targets", HubBenchLoad.targets), ("sends", sends), ("concurrency", concurrency), ("cores", cores),
        ] {
            writer.name(name)
            writer.value(value)
        }
        writer.name("stages")
        writer.beginArray()
        for stage in stages { writer.stage(stage) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func stage(_ stage: HubBenchStage) {
        beginObject()
        name("registrations")
        value(stage.registrations)
        for (name, value) in [
            ("registeredPerSecond", stage.registered),
            ("acceptMedianMicroseconds", stage.median.inMicroseconds),
            ("acceptP99Microseconds", stage.slow.inMicroseconds),
            ("sendsPerSecond", stage.rate),
            ("microsecondsPerSend", stage.cpu),
            ("everyoneAcceptedMicroseconds", stage.everyoneAccepted.inMicroseconds),
            ("everyoneDoneMicroseconds", stage.everyoneFound.inMicroseconds),
            ("bytesPerRegistration", stage.bytesPerRegistration),
        ] {
            guard let value else { continue }
            self.name(name)
            self.value(value.rounded(places: 1))
        }
        if let memory = stage.memory {
            name("memory")
            value(memory)
        }
        endObject()
    }
}
