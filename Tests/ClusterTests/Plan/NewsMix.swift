import Guarantees

/// How much of a plan is what, as shares of all records.
struct NewsMix: Sendable {
    /// Not to be sent before an instant; a quarter is overtaken by a newer revision, a quarter is killed before.
    var embargo = 0.0
    /// How long embargoes last.
    var embargoes = Duration.seconds(3)...Duration.seconds(20)
    /// Kills, half of them without words and categories of their own: one third has a higher revision than the news of its story,
    /// one third the same, one third a lower one. News of a higher revision follows each.
    var kill = 0.0
    /// Holds; the next revision lets the story go on.
    var hold = 0.0
    /// Too late when they are written, or within two seconds.
    var expired = 0.0
    /// Records with an id that was there before.
    var duplicate = 0.0
    /// Revisions older than one that was there before.
    var stale = 0.0
    /// Half a JSON text.
    var unreadable = 0.0
    /// Events whose only category leads nowhere.
    var unmapped = 0.0
    /// Flashes, each a story of its own.
    var flash = 0.0
    /// The share of ordinary stories that are told in several revisions.
    var developing = 0.4
    /// In how many; each is as likely as another.
    var revisions = [2, 2, 2, 3, 3, 4]
    /// What the hub does to which share of requests.
    var faults: [HubFault: Double] = [:]

    /// Ordinary news, and now and then a kill.
    static let plain = NewsMix(kill: 0.006)

    /// One alert a story.
    static let alerts = NewsMix(developing: 0)

    /// All that a newsroom and a hub can do, day by day.
    static let mixed = NewsMix(
        embargo: 0.01,
        kill: 0.012,
        hold: 0.005,
        expired: 0.005,
        duplicate: 0.02,
        stale: 0.02,
        unreadable: 0.005,
        unmapped: 0.005,
        flash: 0.01,
        faults: [.unavailable: 0.02, .throttled: 0.005, .cutBefore: 0.005, .cutAfter: 0.002, .slow: 0.0005]
    )

    /// A year of a newsroom, through a hub that does badly: of a hundred requests ten are answered 503, five 429, one is cut.
    static let million = NewsMix(
        kill: 0.003,
        duplicate: 0.02,
        unreadable: 0.005,
        flash: 0.01,
        developing: 1,
        revisions: [50, 100, 150],
        faults: [.unavailable: 0.1, .throttled: 0.05, .cutAfter: 0.01]
    )
}
