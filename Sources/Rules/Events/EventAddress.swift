/// The part of an event that may pass through push services.
package enum EventDelivery: String, Sendable, CaseIterable {
    /// The text.
    case open
    /// Only a token; the app uses it to fetch the text with the credentials of its user.
    case secure
}

/// The subscribers an event is for, among those of its categories.
package enum EventReaders: String, Sendable, CaseIterable {
    /// All; subscribers with another language get the nearest text.
    case all
    /// Only subscribers in whose language the event has a text.
    case own
}

/// Members that few events have; see the members of ``NewsEvent`` with the same names.
struct RareMembers: Sendable, Equatable {
    /// The maximum number of users of one event.
    static let maximumUsers = 1000

    var users: [String] = []
    var delivery = EventDelivery.open
    var replay: ReplayMark?
    var kindIfFirst: EventKind?
    var readers = EventReaders.all
    var spareCategories: [String] = []
}

/// Storage of ``RareMembers``: an object, because events are copied often and few have any.
final class RareMembersBox: Sendable, Equatable {
    let members: RareMembers

    /// Returns `nil` if all members have their defaults.
    init?(_ members: RareMembers) {
        guard members != RareMembers() else { return nil }
        self.members = members
    }

    static func == (left: RareMembersBox, right: RareMembersBox) -> Bool {
        left === right || left.members == right.members
    }
}
