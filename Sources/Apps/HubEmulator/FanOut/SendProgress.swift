package import NotificationHubs
package import Timestamps

/// The progress of a send and the outcomes of its targets.
package struct SendProgress: Sendable, Equatable {
    /// The category by which outcomes are counted: a platform's native registrations or its templates.
    package struct TargetKind: Hashable, Sendable {
        /// The push service.
        package var platform: PushPlatform
        /// Whether a template renders the notification.
        package var isTemplate: Bool

        /// The name in the telemetry: `apple`, `appletemplate`.
        var name: String { platform.format.rawValue + (isTemplate ? "template" : "") }
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
