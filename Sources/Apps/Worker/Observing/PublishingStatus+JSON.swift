import Publishing
import StrictJSON
import Timestamps

extension PublishingStatus {
    /// What `/status` shows.
    ///
    /// - Parameter notes: What else is worth knowing, such as that the worker stands by without partitions.
    /// - Returns: A JSON object.
    func json(notes: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("partitions")
        writer.beginArray()
        for partition in partitions {
            writer.beginObject()
            writer.name("partition")
            writer.value(partition.source.description)
            writer.name("phase")
            writer.value(partition.phase.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.name("notes")
        writer.beginArray()
        for note in notes { writer.value(note) }
        writer.endArray()
        writer.name("events")
        writer.beginObject()
        for name in EventPhase.names {
            writer.name(name)
            writer.value(events[name] ?? 0)
        }
        writer.endObject()
        for (name, value) in [
            ("ahead", ahead), ("inFlight", inFlight), ("unconfirmed", unconfirmed), ("stories", stories),
            ("storyBytes", storyBytes),
        ] {
            writer.name(name)
            writer.value(value)
        }
        writer.name("oldestConsumedAt")
        writer.optional(oldestConsumedAt?.rfc3339)
        writer.name("concurrencyLimit")
        writer.value(concurrencyLimit)
        writer.name("rateLimit")
        if let rateLimit { writer.value(rateLimit) } else { writer.null() }
        writer.name("pausedUntil")
        writer.optional(pausedUntil?.rfc3339)
        writer.name("hold")
        if let hold { writer.hold(hold) } else { writer.null() }
        writer.name("sourceHolds")
        writer.beginArray()
        for order in sourceHolds { writer.order(order) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func optional(_ text: String?) {
        if let text { value(text) } else { null() }
    }

    fileprivate mutating func order(_ order: ControlRecord) {
        beginObject()
        name("source")
        optional(order.scope.source)
        name("by")
        if case .person(let person) = order.author { value(person) } else { value("brake") }
        for (name, text) in [("reason", order.reason), ("since", order.at.rfc3339)] {
            self.name(name)
            value(text)
        }
        endObject()
    }

    fileprivate mutating func hold(_ hold: Hold) {
        beginObject()
        for (name, text) in [
            ("reason", hold.reason.rawValue), ("since", hold.since.rfc3339), ("detail", hold.detail),
            ("remedy", hold.reason.remedy),
        ] {
            self.name(name)
            value(text)
        }
        name("failedProbes")
        value(hold.probes)
        endObject()
    }
}
