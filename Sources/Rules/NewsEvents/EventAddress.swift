/// What of an event may travel through push services.
package enum EventDelivery: String, Sendable, CaseIterable {
    /// Its words.
    case open
    /// A token alone; the app fetches the words by it with the credentials of its user.
    case secure
}

/// The subscribers whom an event is for, among those of its categories.
package enum EventReaders: String, Sendable, CaseIterable {
    /// All: who has another language gets the nearest text.
    case all
    /// Only those for whose locale the event has a text in their language.
    case own
}

/// Members that few events have; see those of ``NewsEvent`` with the same names.
struct RareMembers: Sendable, Equatable {
    /// The most users of one event.
    static let maximumUsers = 1000

    var users: [String] = []
    var delivery = EventDelivery.open
    var replay: ReplayMark?
    var kindIfFirst: EventKind?
    var readers = EventReaders.all
    var spareCategories: [String] = []
}

/// An object, since events are copied often and hardly any has one.
final class RareMembersBox: Sendable, Equatable {
    let members: RareMembers

    /// `nil` if there is nothing to keep.
    init?(_ members: RareMembers) {
        guard members != RareMembers() else { return nil }
        self.members = members
    }

    static func == (left: RareMembersBox, right: RareMembersBox) -> Bool {
        left === right || left.members == right.members
    }
}
