import NewsflashStrictXML
package import NewsflashTimestamps
package import NotificationHubs

/// The progress of a send and the outcomes of its targets.
package struct SendProgress: Sendable, Equatable {
    /// The category by which outcomes are counted: a platform's native registrations or its templates.
    package struct TargetKind: Hashable, Sendable {
        /// The push service.
        package var platform: PushPlatform
        /// Whether a template renders the notification.
        package var isTemplate: Bool

        /// The name in the telemetry: `apple`, `appletemplate`.
        var name: String { (platform.format?.rawValue ?? platform.rawValue) + (isTemplate ? "template" : "") }
    }

    /// The current state.
    package var state = NotificationState.enqueued
    /// The start time of a scheduled send.
    package var scheduledFor: Timestamp?
    /// The start of the fan-out.
    package var started: Timestamp?
    /// The end of the fan-out.
    package var ended: Timestamp?
    /// The number of matching registrations.
    package var targets = 0
    /// The number of each outcome, by category.
    package var outcomes: [TargetKind: [DeliveryOutcome: Int]] = [:]

    /// The number of each outcome in all categories.
    package var totals: [DeliveryOutcome: Int] {
        outcomes.values.reduce(into: [:]) { totals, counts in totals.merge(counts) { $0 + $1 } }
    }

    mutating func count(_ outcome: DeliveryOutcome, _ kind: TargetKind) {
        targets += 1
        outcomes[kind, default: [:]][outcome, default: 0] += 1
    }

    mutating func begin(now: Timestamp) {
        guard state == .enqueued || state == .scheduled else { return }
        state = .processing
        started = now
    }

    mutating func end(now: Timestamp) {
        state = targets == 0 ? .noTargetFound : .completed
        started = started ?? now
        ended = now
    }

    /// Gives up the remaining targets.
    mutating func abandon(now: Timestamp) {
        state = .abandoned
        ended = now
    }

    /// Cancels the send before its start.
    mutating func cancel(now: Timestamp) {
        state = .canceled
        ended = now
    }
}

/// The state of a notification in its telemetry.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
package enum NotificationState: String, Sendable {
    /// Accepted but not processed yet.
    case enqueued = "Enqueued"
    /// The fan-out is in progress.
    case processing = "Processing"
    /// Every target has its outcome.
    case completed = "Completed"
    /// No registration matches.
    case noTargetFound = "NoTargetFound"
    /// Scheduled for a later time.
    case scheduled = "Scheduled"
    /// Scheduled and then cancelled.
    case canceled = "Canceled"
    /// The fan-out exceeded its time limit.
    case abandoned = "Abandoned"
    /// The service's state if it does not know; never used by the emulator.
    case unknown = "Unknown"

    /// Whether the state cannot change any more.
    package var isFinal: Bool {
        switch self {
        case .enqueued, .processing, .scheduled, .unknown: false
        case .completed, .noTargetFound, .canceled, .abandoned: true
        }
    }
}

/// The service's telemetry of a notification: `NotificationDetails`.
///
/// The order of the elements is that of the .NET SDK's data contract; empty elements are omitted.
struct TelemetryDocument {
    var record: SendRecord
    var host: String
    var hubName: String
    var apiVersion: String
    /// The URL of the failed deliveries.
    var errors: String

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
        for facts in PlatformFacts.all {
            if let element = facts.outcomeElements.first { write(element, of: facts.platform, to: &writer) }
            // https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry; the order is .NET's.
            if facts.platform == .adm, progress.totals.keys.contains(where: { $0 != .success }) {
                writer.element("PnsErrorDetailsUri", errors)
            }
        }
        writer.end("NotificationDetails")
        return writer.bytes
    }

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

/// The response to a test send: its outcome on up to ten devices.
///
/// The order of the elements is that of the .NET SDK's data contract.
struct TestSendDocument {
    /// The maximum number of devices of a test send, picked at random.
    static let maximumDevices = 10

    var targets: [FanOut.Target]

    var xml: [UInt8] {
        var writer = XMLWriter()
        let successes = targets.count { $0.delivery.outcome == .success }
        writer.begin(
            "NotificationOutcome",
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        writer.element("Success", String(successes))
        writer.element("Failure", String(targets.count - successes))
        if targets.isEmpty {
            writer.empty("Results")
        } else {
            writer.begin("Results")
            for target in targets {
                let delivery = target.delivery
                let kind = SendProgress.TargetKind(platform: delivery.platform, isTemplate: target.isTemplate)
                writer.begin("RegistrationResult")
                writer.element("ApplicationPlatform", kind.name)
                writer.element("PnsHandle", delivery.handle)
                writer.element("RegistrationId", delivery.registrationID ?? "")
                writer.element("Outcome", delivery.outcome.sentence)
                writer.end("RegistrationResult")
            }
            writer.end("Results")
        }
        writer.end("NotificationOutcome")
        return writer.bytes
    }
}
