package import NewsflashEvents
package import NewsflashRendering
package import NewsflashRouting
package import NewsflashTimestamps
package import NotificationHubs

/// Turns an event into its requests, just before they are sent.
package protocol EventPlanning: Sendable {
    /// Plans an admitted event that lives until its deadline. `story` contains the text for a kill without one.
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan
}

/// Whether a notification may be loud.
package enum Audibility: Sendable, Equatable {
    /// According to its urgency.
    case usual
    /// Without light and sound, whatever its urgency, because a cap is used up or subscribers have quiet hours.
    case silent
}

/// The result of planning an event.
package enum EventPlan: Sendable {
    case send([PlannedSend], warnings: [String])
    /// It cannot be sent.
    case end(EventVerdict, stage: DeadLetter.Stage)
}

/// One planned request of an event. An object, because it is passed along at every step and never changes.
package final class PlannedSend: Sendable {
    package let audience: Audience
    package let message: HubMessage
    /// The language of the text for ``locale``; that of the default locale if all languages are in one request.
    package let textFrom: String?
    /// The name of the text pattern, such as `flash`; `secure` if the text is not sent.
    package let template: String
    package let isTruncated: Bool
    /// How much it disturbs its subscribers.
    package let interruption: InterruptionLevel
    /// The byte range of the time-dependent properties in the message's body; empty if absent.
    package let clockPart: Range<Int>

    package init(
        _ message: HubMessage,
        to audience: Audience,
        textFrom: String? = nil,
        template: String,
        isTruncated: Bool = false,
        interruption: InterruptionLevel,
        clockPart: Range<Int> = 0..<0
    ) {
        self.message = message
        self.audience = audience
        self.textFrom = textFrom
        self.template = template
        self.isTruncated = isTruncated
        self.interruption = interruption
        self.clockPart = clockPart
    }

    package var hub: String { audience.hub }
    /// The name in the outcome schema: `template`, `apns`, …
    package var platform: String { audience.format }
    package var expression: TagExpression { audience.planned.expression }
    package var locale: String? { audience.planned.locale }
    /// The newsroom's categories of the expression.
    package var categories: [String] { audience.planned.categories }
    /// Whether each tag of the expression is that of one user whom the event names.
    package var isForUsers: Bool { audience.planned.isForUsers }
}

/// The audience of one request: its hub, its format and its tags.
///
/// An object, created once for a list of categories: all requests to them and their facts share it.
package final class Audience: Sendable, Equatable {
    /// The name of the hub in the ledger.
    package let hub: String
    /// `template`, or the format of a native payload such as `apns`.
    package let format: String
    /// The tags, the language and the categories.
    package let planned: PlannedAudience

    package init(hub: String, format: String, planned: PlannedAudience) {
        self.hub = hub
        self.format = format
        self.planned = planned
    }

    /// Whether both have the same hub, format, tags and language; the names of categories may differ.
    func areSame(as other: Audience) -> Bool {
        self === other
            || hub == other.hub && format == other.format && planned.expression == other.planned.expression
                && planned.locale == other.planned.locale
    }

    package static func == (left: Audience, right: Audience) -> Bool {
        left === right || left.hub == right.hub && left.format == right.format && left.planned == right.planned
    }
}
