import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

extension SendRecord {
    /// Writes the send with its progress.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.text("time", time.rfc3339)
        writer.text("hub", hub)
        writer.text("kind", kind.rawValue)
        if isTest {
            writer.member("test", true)
        }
        writer.text("format", format.rawValue)
        writer.text("tags", expression?.description)
        if !handles.isEmpty {
            writer.member("handles", handles)
        }
        writer.values("headers", headers.fields.map { NamedValue($0.name.lowercased(), $0.value) })
        writer.text("body", text)
        writer.text("clientTrackingId", clientTrackingID)
        writer.text("trackingId", trackingID)
        writer.text("notificationId", notificationID)
        write(progress, to: &writer)
        writer.member("acceptedMs", (acceptance / .milliseconds(1) * 1000).rounded() / 1000)
        writer.endObject()
    }

    private func write(_ progress: SendProgress, to writer: inout JSONWriter) {
        writer.text("state", progress.state.rawValue)
        writer.text("scheduledFor", progress.scheduledFor?.rfc3339)
        writer.member("targets", progress.targets)
        writer.name("outcomes")
        writer.beginObject()
        for (outcome, count) in progress.totals.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.name(outcome.rawValue)
            writer.value(count)
        }
        writer.endObject()
        writer.text("startTime", progress.started?.rfc3339)
        writer.text("endTime", progress.ended?.rfc3339)
    }
}

extension Delivery {
    /// Writes the delivery.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.member("send", send)
        writer.text("notificationId", notificationID)
        writer.text("time", time.rfc3339)
        if isDirect { writer.member("direct", true) }
        writer.text("registrationId", registrationID)
        writer.text("installationId", installationID)
        writer.text("platform", platform.rawValue)
        writer.text("handle", handle)
        writer.text("template", template)
        writer.text("outcome", outcome.rawValue)
        writer.text("reason", notification.fault?.message)
        if !warnings.isEmpty { writer.member("warnings", warnings) }
        writer.values("headers", notification.headers)
        writer.text("payload", notification.text)
        writer.endObject()
    }
}

extension HubStatistics {
    /// Writes the counters.
    func write(to writer: inout JSONWriter, hub: EmulatedHub) {
        writer.beginObject()
        for (name, value) in [
            ("received", received), ("accepted", accepted), ("faults", faults), ("kept", hub.log.count),
            ("deliveries", Int(clamping: hub.deliveries.last)), ("deliveriesKept", hub.deliveries.count),
            ("fanningOut", hub.queue.count),
        ] {
            writer.name(name)
            writer.value(value)
        }
        hub.writeDeviceCounts(to: &writer)
        writer.name("byStatus")
        writer.beginObject()
        for (status, count) in byStatus.sorted(by: { $0.key < $1.key }) {
            writer.name(String(status))
            writer.value(count)
        }
        writer.endObject()
        writer.endObject()
    }
}

extension EmulatedHub {
    func writeDeviceCounts(to writer: inout JSONWriter) {
        writer.member("registrations", hubs.values.reduce(0) { $0 + $1.registry.registrationCount })
        writer.member("installations", hubs.values.reduce(0) { $0 + $1.registry.installationCount })
    }
}

extension JSONWriter {
    /// Writes a member unless its value is `nil`.
    mutating func text(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }
}
