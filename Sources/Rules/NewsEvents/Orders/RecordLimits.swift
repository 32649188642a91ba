import StrictJSON
import Timestamps

/// The limits that a refused record sets to news of its story. Older news that waits must not go out as if they were not there.
struct RecordLimits {
    /// The end of time if it cannot be read.
    let embargo: Timestamp?
    private let expires: Timestamp?
    private let published: Timestamp?
    /// Whether something of it cannot be read, or whether it names its readers or the form in which they may have it.
    private let isForbidding: Bool

    /// Reads the limits of a document.
    ///
    /// - Parameters:
    ///   - document: The members of an event, whatever is wrong with them.
    ///   - faults: Their faults.
    ///   - isStray: Whether it has a member that may restrict and is not one of an event.
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

    /// Whether older news of the story must wait for a person. An embargo that is over at the record's time restricts nothing.
    func restrict(at time: Timestamp?) -> Bool {
        if isForbidding { return true }
        if let embargo, time.map({ embargo > $0 }) ?? true { return true }
        guard let expires else { return false }
        return [time, published, embargo].contains { $0.map { expires <= $0 } ?? false }
    }
}
