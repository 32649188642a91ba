package import NotificationHubs
package import Timestamps

/// How far a send is and what became of it on its targets.
package struct SendProgress: Sendable, Equatable {
    /// Whose outcomes are counted: a platform's native registrations or its templates.
    package struct TargetKind: Hashable, Sendable {
        /// The push service.
        package var platform: PushPlatform
        /// Whether a template made the notification.
        package var isTemplate: Bool

        /// The name in telemetry: `apple`, `appletemplate`.
        var name: String { platform.format.rawValue + (isTemplate ? "template" : "") }
    }

    /// How far it is.
    package var state = NotificationState.enqueued
    /// When it shall begin, of a scheduled one.
    package var scheduledFor: Timestamp?
    /// When the fan-out began.
    package var started: Timestamp?
    /// When every target had its outcome.
    package var ended: Timestamp?
    /// How many registrations were meant.
    package var targets = 0
    /// How often each outcome, by kind of target.
    package var outcomes: [TargetKind: [DeliveryOutcome: Int]] = [:]

    /// How often each outcome, whatever the target.
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

    /// Gives up on what targets are left.
    mutating func abandon(now: Timestamp) {
        state = .abandoned
        ended = now
    }

    /// Takes it back before it began.
    mutating func cancel(now: Timestamp) {
        state = .canceled
        ended = now
    }
}
