package import NewsEvents
package import NotificationHubs
package import Rendering
package import Routing
package import Timestamps

/// Turns an event into the requests it needs, just before they are sent.
package protocol EventPlanning: Sendable {
    /// Plans an event that was admitted and lives until its deadline. The known facts of its story have the words of a kill.
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Loudness,
        now: Timestamp
    ) -> EventPlan
}

/// Whether a push may make itself heard.
package enum Loudness: Sendable, Equatable {
    /// As its urgency says.
    case usual
    /// Without light and sound, whatever its urgency: a cap is used up, or readers sleep.
    case silent
}

/// What an event needs.
package enum EventPlan: Sendable {
    case send([PlannedSend], warnings: [String])
    /// It cannot be sent.
    case end(EventVerdict, stage: DeadLetter.Stage)
}

/// One request an event needs. An object, since it is handed on at every step and never changes.
package final class PlannedSend: Sendable {
    package let recipients: Recipients
    package let message: HubMessage
    /// The language key that the text for ``locale`` came from; of the default locale where all travel together.
    package let textFrom: String?
    /// Which pattern the text went through, such as `flash`; `secure` where the words do not travel.
    package let template: String
    package let isTruncated: Bool
    /// How much it disturbs its readers.
    package let interruption: InterruptionLevel
    /// Where in the message's body stands what the clock alone changes; empty where nothing of it does.
    package let clockPart: Range<Int>

    package init(
        _ message: HubMessage,
        to recipients: Recipients,
        textFrom: String? = nil,
        template: String,
        isTruncated: Bool = false,
        interruption: InterruptionLevel,
        clockPart: Range<Int> = 0..<0
    ) {
        self.message = message
        self.recipients = recipients
        self.textFrom = textFrom
        self.template = template
        self.isTruncated = isTruncated
        self.interruption = interruption
        self.clockPart = clockPart
    }

    package var hub: String { recipients.hub }
    /// As the outcome schema names it: `template`, `apns`, …
    package var platform: String { recipients.format }
    package var expression: TagExpression { recipients.audience.expression }
    package var locale: String? { recipients.audience.locale }
    /// The newsroom's categories that the expression stands for.
    package var categories: [String] { recipients.audience.categories }
    /// Whether each tag of the expression is that of one reader whom an event named.
    package var isForUsers: Bool { recipients.audience.isForUsers }
}

/// The audience of one request: its hub, its form and its tags.
///
/// An object, made once for a list of categories: each request to them and the ledger's note of it name the same.
package final class Recipients: Sendable, Equatable {
    /// The hub as the ledger calls it.
    package let hub: String
    /// `template`, or the format of a native payload such as `apns`.
    package let format: String
    package let audience: PlannedAudience

    package init(hub: String, format: String, audience: PlannedAudience) {
        self.hub = hub
        self.format = format
        self.audience = audience
    }

    /// Whether both are the same hub, format, audience and language; the categories may have other names by now.
    func areSame(as other: Recipients) -> Bool {
        self === other
            || hub == other.hub && format == other.format && audience.expression == other.audience.expression
                && audience.locale == other.audience.locale
    }

    package static func == (left: Recipients, right: Recipients) -> Bool {
        left === right || left.hub == right.hub && left.format == right.format && left.audience == right.audience
    }
}
