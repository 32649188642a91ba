package import Timestamps

/// One editorial act on one story, as `schemas/breaking-news-event-v1.schema.json` describes it.
///
/// Defaults are filled in by the reader: `source`, `urgency` and `mode` are never absent here.
package struct NewsEvent: Sendable, Equatable {
    /// Names the act; unique within ``source``. A resend keeps it.
    package var id: String
    /// Who says so; the source configured for the topic where the event names none.
    package var source: String
    /// The same for every act on one story.
    package var story: String
    /// Grows with every act on the story, from 1 to 2^53-1.
    package var revision: Int64
    /// What the act is.
    package var kind: EventKind
    /// IPTC scale, 1 highest to 9; by kind where the event names none.
    package var urgency: Int
    /// When the editor let it go.
    package var published: Timestamp
    /// Not to be sent before.
    package var embargo: Timestamp?
    /// Not to be sent after.
    package var expires: Timestamp?
    /// Codes for the audience; empty only for a hold or a kill, where the event is ``withheld``, and where it names ``users``.
    package var categories: [String]
    /// Language of the original, as written in the event.
    package var language: String?
    /// Texts in the order of the event, at most one a language tag; empty where ``categories`` may be.
    package var text: [EventText]
    /// Where a tap leads.
    package var url: String?
    /// A picture.
    package var image: String?
    /// The people who let it go.
    package var approvedBy: [String]
    /// Whether readers may be told.
    package var mode: EventMode
    /// For the desk; never pushed.
    package var note: String?
    /// Why readers are not told, such as `suppressed.not_for_push`: a feed carries more than news to push.
    package var withheld: String?
    /// What few events say.
    private var address: EventAddress?

    package init(
        id: String,
        source: String,
        story: String,
        revision: Int64,
        kind: EventKind,
        urgency: Int? = nil,
        published: Timestamp,
        embargo: Timestamp? = nil,
        expires: Timestamp? = nil,
        categories: [String] = [],
        language: String? = nil,
        text: [EventText] = [],
        url: String? = nil,
        image: String? = nil,
        approvedBy: [String] = [],
        mode: EventMode = .live,
        note: String? = nil,
        withheld: String? = nil,
        users: [String] = [],
        delivery: EventDelivery = .open
    ) {
        self.id = id
        self.source = source
        self.story = story
        self.revision = revision
        self.kind = kind
        self.urgency = urgency ?? kind.defaultUrgency
        self.published = published
        self.embargo = embargo
        self.expires = expires
        self.categories = categories
        self.language = language
        self.text = text
        self.url = url
        self.image = image
        self.approvedBy = approvedBy
        self.mode = mode
        self.note = note
        self.withheld = withheld
        self.address = EventAddress.of(users: users, delivery: delivery)
    }

    /// Readers by name, beside those of the ``categories``; each once, in the order of the event.
    package var users: [String] {
        get { address?.users ?? [] }
        set { address = EventAddress.of(users: newValue, delivery: delivery, replay: replay) }
    }

    /// What of it may travel through push services.
    package var delivery: EventDelivery {
        get { address?.delivery ?? .open }
        set { address = EventAddress.of(users: users, delivery: newValue, replay: replay) }
    }

    /// The order by which it comes once more; `nil` for an event that its sender sent.
    package var replay: ReplayMark? {
        get { address?.replay }
        set { address = EventAddress.of(users: users, delivery: delivery, replay: newValue) }
    }
}

/// What an event tells readers.
package enum EventKind: String, Sendable, CaseIterable {
    /// First word on something grave.
    case flash
    /// News worth a push.
    case alert
    /// More facts on a story.
    case update
    /// The meaning of what was sent has changed.
    case correction
    /// Stop what is queued; tell readers nothing.
    case hold
    /// Withdraw the story.
    case kill

    /// The place in `allCases`.
    package var index: Int {
        switch self {
        case .flash: 0
        case .alert: 1
        case .update: 2
        case .correction: 3
        case .hold: 4
        case .kill: 5
        }
    }

    /// The urgency of an event that names none.
    package var defaultUrgency: Int {
        switch self {
        case .flash, .hold, .kill: 1
        // Time-sensitive pushes are for what an editor says is urgent.
        case .alert, .correction: 3
        case .update: 4
        }
    }
}

/// Whom an event may reach.
package enum EventMode: String, Sendable, CaseIterable {
    /// Readers.
    case live
    /// Only the test hub.
    case test
    /// Nobody: recorded, never sent.
    case backfill
}

/// The words of an event in one language.
package struct EventText: Sendable, Equatable {
    /// BCP 47 tag as written in the event.
    package var language: String
    /// At most 1,024 Unicode scalars; may be blank, which counts as absent.
    package var headline: String
    /// At most 4,096 Unicode scalars.
    package var summary: String?

    package init(language: String, headline: String, summary: String? = nil) {
        self.language = language
        self.headline = headline
        self.summary = summary
    }
}
