import NewsflashGuarantees

/// The kinds of records in a plan, as shares of all records.
struct NewsMix: Sendable {
    /// Embargoed news; a quarter is superseded by a newer revision and a quarter is killed before the embargo ends.
    var embargo = 0.0
    /// The durations of embargoes.
    var embargoes = Duration.seconds(3)...Duration.seconds(20)
    /// Kills, half of them without their own words and categories. One third has a higher revision than the news of its
    /// story, one third the same, one third a lower one. News with a higher revision follows each.
    var kill = 0.0
    /// Holds; the next revision is sent again.
    var hold = 0.0
    /// Events that have expired when they are written, or expire within two seconds.
    var expired = 0.0
    /// Records with the id of an earlier record.
    var duplicate = 0.0
    /// Revisions older than an earlier record's.
    var stale = 0.0
    /// Records with half a JSON text.
    var unreadable = 0.0
    /// Events whose only category is not mapped.
    var unmapped = 0.0
    /// Flashes, each in a separate story.
    var flash = 0.0
    /// The share of ordinary stories with several revisions.
    var developing = 0.4
    /// The numbers of revisions of such a story, each with the same probability.
    var revisions = [2, 2, 2, 3, 3, 4]
    /// The faults of the hub, with the share of requests for each.
    var faults: [HubFault: Double] = [:]

    /// Ordinary news, and a kill from time to time.
    static let plain = NewsMix(kill: 0.006)

    /// One alert for each story.
    static let alerts = NewsMix(developing: 0)

    /// All kinds of records and hub faults.
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

    /// A year of a newsroom, with a faulty hub: 10% of the requests are answered 503, 5% 429, and 1% are cut.
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
