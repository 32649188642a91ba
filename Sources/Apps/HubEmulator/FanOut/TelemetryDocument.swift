import NotificationHubs
import StrictXML
import Timestamps

/// The service's telemetry of a notification: `NotificationDetails`.
///
/// The order of the elements is that of the .NET SDK's data contract; empty elements are omitted.
struct TelemetryDocument {
    var record: SendRecord
    var host: String
    var hubName: String
    var apiVersion: String

    var xml: [UInt8] {
        var writer = XMLWriter()
        let progress = record.progress
        writer.begin(
            "NotificationDetails",
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        writer.element("NotificationId", record.notificationID)
        writer.element(
            "Location",
            "sb://\(host)/\(hubName)/messages/\(record.notificationID)?api-version=\(apiVersion)"
        )
        writer.element("State", progress.state.rawValue)
        writer.element("EnqueueTime", record.time.rfc3339)
        if let started = progress.started { writer.element("StartTime", started.rfc3339) }
        if let ended = progress.ended { writer.element("EndTime", ended.rfc3339) }
        writer.element("NotificationBody", record.text)
        if let expression = record.expression { writer.element("Tags", expression.description) }
        let names = progress.outcomes.keys.map(\.name).sorted()
        if !names.isEmpty { writer.element("TargetPlatforms", names.joined(separator: ",")) }
        for (element, platform) in Self.elements { write(element, of: platform, to: &writer) }
        writer.end("NotificationDetails")
        return writer.bytes
    }

    private static let elements: [(element: String, platform: PushPlatform)] = [
        ("ApnsOutcomeCounts", .apns), ("MpnsOutcomeCounts", .mpns), ("WnsOutcomeCounts", .wns),
        ("GcmOutcomeCounts", .gcm), ("AdmOutcomeCounts", .adm), ("FcmV1OutcomeCounts", .fcmv1),
        ("BaiduOutcomeCounts", .baidu), ("BrowserOutcomeCounts", .browser), ("XiaomiOutcomeCounts", .xiaomi),
    ]

    private func write(_ element: String, of platform: PushPlatform, to writer: inout XMLWriter) {
        var counts: [DeliveryOutcome: Int] = [:]
        for (kind, outcomes) in record.progress.outcomes where kind.platform == platform {
            counts.merge(outcomes) { $0 + $1 }
        }
        guard !counts.isEmpty else { return }
        writer.begin(element)
        for (outcome, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.begin("Outcome")
            writer.element("Name", outcome.rawValue)
            writer.element("Count", String(count))
            writer.end("Outcome")
        }
        writer.end(element)
    }
}
