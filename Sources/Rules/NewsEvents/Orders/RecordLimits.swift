import StrictJSON
import Timestamps

/// The limits that a rejected record sets for news of its story. Older news that waits must not be sent without regard to
/// them.
struct RecordLimits {
    /// The end of the embargo; the end of time if it is unreadable.
    let embargo: Timestamp?
    private let expires: Timestamp?
    private let published: Timestamp?
    /// Whether a part of it is unreadable, or it limits its audience or its delivery.
    private let isForbidding: Bool

    /// Reads the limits of a document.
    ///
    /// - Parameters:
    ///   - document: The members of an event, even if they have faults.
    ///   - faults: Their faults.
    ///   - isStray: Whether it has an unknown member that may restrict.
    init(of document: JSONValue, faults: SchemaFaults, isStray: Bool) {
        var reader = EventSchemaReader(defaultSource: "")
        let embargo = reader.embargo(document.present("embargo"))
        expires = reader.limit(document.present("expires"), at: "/expires")
        published = document[member: "published"]?.string.flatMap(EventSchemaReader.instant(of:))
        let unreadable = reader.faults.members.union(faults.members)
        self.embargo = unreadable.contains("embargo") ? Timestamp(nanoseconds: .max) : embargo
        let isPersonal =
            document.present("audience") != nil || document[member: "delivery"]?.string == EventDelivery.secure.rawValue
        isForbidding = isStray || isPersonal || !unreadable.isDisjoint(with: ["expires", "delivery", "audience"])
    }

    /// Whether older news of the story must wait for a person. An embargo that has ended at the record's time does not
    /// restrict.
    func restrict(at time: Timestamp?) -> Bool {
        if isForbidding { return true }
        if let embargo, time.map({ embargo > $0 }) ?? true { return true }
        guard let expires else { return false }
        return [time, published, embargo].contains { $0.map { expires <= $0 } ?? false }
    }
}
