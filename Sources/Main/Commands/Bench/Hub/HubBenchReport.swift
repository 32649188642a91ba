import StrictJSON

/// The figures of a hub of one size.
struct HubBenchStage {
    var registrations: Int
    /// Registrations a second while it grew to this size; nothing where it did not grow.
    var registered: Double?
    /// Half of the sends are accepted within it.
    var median: Duration
    /// 99 of 100 sends are accepted within it.
    var slow: Duration
    /// Sends a second, over the loopback network.
    var rate: Double
    /// Processor time a send in microseconds, with the client.
    var cpu: Double
    /// A send to all devices is accepted within it.
    var everyoneAccepted: Duration
    /// Until every device has that send.
    var everyoneFound: Duration
    /// Of this process, in bytes, before the sends.
    var memory: Int?
    /// More memory than the empty hub, for each registration.
    var bytesPerRegistration: Double?
}

/// The figures of all sizes.
struct HubBenchReport {
    var stages: [HubBenchStage]
    var sends: Int
    var concurrency: Int
    var cores: Int

    /// For people.
    var text: String {
        var lines = [
            "The hub emulator, with its clients in the same process, on \(cores) cores.",
            "Each send is a template message to a tag that \(HubBenchLoad.targets) devices have.",
            "",
            "               registered   accepted within        sends        CPU       to everyone   memory    bytes a",
            "registrations    a second     p50       p99     a second     a send  accepted     done       MB  registration",
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
            "registered, accepted: one request after another, without a network.",
            "sends a second: \(sends) sends over the loopback network, \(concurrency) at a time, over the middle 80 %.",
            "to everyone: one send to all devices, without a network; done when each of them has it.",
            "memory: of the process, before the sends; bytes a registration: what is beyond that with an empty hub.",
        ]
        return lines.joined(separator: "\n")
    }

    /// For scripts: rates a second, times in microseconds, memory in bytes.
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
