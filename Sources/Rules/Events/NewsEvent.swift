package import NewsflashTimestamps

/// One editorial act on one story, as defined by `schemas/breaking-news-event-v1.schema.json`.
///
/// A value type with copy-on-write storage, because an event is passed through many layers, from its decoder to its outcome.
/// Copying all its strings for each layer would cost more than most layers do with it.
///
/// The decoder fills in defaults: `source`, `urgency` and `mode` are never absent here.
package struct NewsEvent: Sendable, Equatable {
    private var storage: Storage

    /// Identifies the act; unique within ``source``. A resend keeps it.
    package var id: String {
        get { storage.fields.id }
        set { change { $0.id = newValue } }
    }
    /// The sender; the source configured for the topic if the event names none.
    package var source: String {
        get { storage.fields.source }
        set { change { $0.source = newValue } }
    }
    /// Identifies the story; the same for all its events.
    package var story: String {
        get { storage.fields.story }
        set { change { $0.story = newValue } }
    }
    /// Increases with every act on the story, from 1 to 2^53-1.
    package var revision: Int64 {
        get { storage.fields.revision }
        set { change { $0.revision = newValue } }
    }
    /// The kind of the act.
    package var kind: EventKind {
        get { storage.fields.kind }
        set { change { $0.kind = newValue } }
    }
    /// The urgency on IPTC's scale, from 1 (highest) to 9; the default of the kind if the event names none.
    package var urgency: Int {
        get { storage.fields.urgency }
        set { change { $0.urgency = newValue } }
    }
    /// The time at which the editor published it.
    package var published: Timestamp {
        get { storage.fields.published }
        set { change { $0.published = newValue } }
    }
    /// The earliest time of sending.
    package var embargo: Timestamp? {
        get { storage.fields.embargo }
        set { change { $0.embargo = newValue } }
    }
    /// The latest time of sending.
    package var expires: Timestamp? {
        get { storage.fields.expires }
        set { change { $0.expires = newValue } }
    }
    /// Codes that select the audience; several codes of one subject are ``CategoryAlternatives``. Empty only for a hold or a
    /// kill, if the event is ``withheld``, or if it names ``users``.
    package var categories: [String] {
        get { storage.fields.categories }
        set { change { $0.categories = newValue } }
    }
    /// The language of the original, as written in the event.
    package var language: String? {
        get { storage.fields.language }
        set { change { $0.language = newValue } }
    }
    /// Texts in the order of the event, at most one per language tag; empty only for a hold or a kill, or if the event is
    /// ``withheld``.
    package var text: [EventText] {
        get { storage.fields.text }
        set { change { $0.text = newValue } }
    }
    /// The link that a tap on the notification opens.
    package var url: String? {
        get { storage.fields.url }
        set { change { $0.url = newValue } }
    }
    /// The link to a picture.
    package var image: String? {
        get { storage.fields.image }
        set { change { $0.image = newValue } }
    }
    /// The people who approved it.
    package var approvedBy: [String] {
        get { storage.fields.approvedBy }
        set { change { $0.approvedBy = newValue } }
    }
    /// The recipients: subscribers, the test hub or nobody.
    package var mode: EventMode {
        get { storage.fields.mode }
        set { change { $0.mode = newValue } }
    }
    /// A note for the newsroom; never pushed.
    package var note: String? {
        get { storage.fields.note }
        set { change { $0.note = newValue } }
    }
    /// The reason why subscribers are not notified, such as `suppressed.not_for_push`: not every item of a feed is news to
    /// push.
    package var withheld: String? {
        get { storage.fields.withheld }
        set { change { $0.withheld = newValue } }
    }

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
        var fields = Fields(
            id: id,
            source: source,
            story: story,
            revision: revision,
            kind: kind,
            urgency: urgency ?? kind.defaultUrgency,
            published: published,
            embargo: embargo,
            expires: expires,
            categories: categories,
            language: language,
            text: text,
            url: url,
            image: image,
            approvedBy: approvedBy,
            mode: mode,
            note: note,
            withheld: withheld
        )
        fields.rare = RareMembers(users: users, delivery: delivery)
        self.init(fields)
    }

    init(_ fields: consuming Fields) {
        storage = Storage(fields)
    }

    /// Subscribers by name, in addition to those of the ``categories``; each once, in the order of the event.
    package var users: [String] {
        get { storage.fields.rare.users }
        set { change { $0.rare.users = newValue } }
    }

    /// The part of it that may pass through push services.
    package var delivery: EventDelivery {
        get { storage.fields.rare.delivery }
        set { change { $0.rare.delivery = newValue } }
    }

    /// The replay command that wrote it again; `nil` for an event from its sender.
    package var replay: ReplayMark? {
        get { storage.fields.rare.replay }
        set { change { $0.rare.replay = newValue } }
    }

    /// The kind of the event if subscribers have not been notified of its story yet; `nil` if ``kind`` does not depend on
    /// that. Items of feeds have it: their urgency determines the kind of a story's first news, and later news is an update.
    package var kindIfFirst: EventKind? {
        get { storage.fields.rare.kindIfFirst }
        set { change { $0.rare.kindIfFirst = newValue } }
    }

    /// The subscribers it is for, among those of its categories.
    package var readers: EventReaders {
        get { storage.fields.rare.readers }
        set { change { $0.rare.readers = newValue } }
    }

    /// The categories that count if none of ``categories`` is mapped; the newsroom configures them for the items of a feed.
    package var spareCategories: [String] {
        get { storage.fields.rare.spareCategories }
        set { change { $0.rare.spareCategories = newValue } }
    }

    package static func == (left: NewsEvent, right: NewsEvent) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = storage.fields
        change(&fields)
        storage = Storage(fields)
    }

    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: consuming Fields) {
            self.fields = fields
        }
    }

    /// The members, which decoders fill in one by one.
    struct Fields: Sendable, Equatable {
        var id: String
        var source: String
        var story: String
        var revision: Int64
        var kind: EventKind
        var urgency: Int
        var published: Timestamp
        var embargo: Timestamp?
        var expires: Timestamp?
        var categories: [String] = []
        var language: String?
        var text: [EventText] = []
        var url: String?
        var image: String?
        var approvedBy: [String] = []
        var mode = EventMode.live
        var note: String?
        var withheld: String?
        /// Members that few events have.
        var box: RareMembersBox?

        var rare: RareMembers {
            get { box?.members ?? RareMembers() }
            set { box = RareMembersBox(newValue) }
        }
    }
}

/// The kind of an editorial act.
package enum EventKind: String, Sendable, CaseIterable {
    /// The first report of something grave.
    case flash
    /// News worth a push.
    case alert
    /// More facts on a story.
    case update
    /// A change in the meaning of earlier news.
    case correction
    /// Stop what is queued; notify nobody.
    case hold
    /// Withdraw the story.
    case kill

    /// The index in `allCases`.
    package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether it is news, rather than an instruction to withdraw or hold its story.
    var isNews: Bool { self != .kill && self != .hold }

    /// The urgency of an event that names none.
    package var defaultUrgency: Int {
        switch self {
        case .flash, .hold, .kill: 1
        // Time-sensitive pushes are for events that an editor declares urgent.
        case .alert, .correction: 3
        case .update: 4
        }
    }
}

/// The possible recipients of an event.
package enum EventMode: String, Sendable, CaseIterable {
    /// Subscribers.
    case live
    /// Only the test hub.
    case test
    /// Nobody; the event is recorded and never sent.
    case backfill
}

/// The text of an event in one language.
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
