/// What of an event may travel through push services.
package enum EventDelivery: String, Sendable, CaseIterable {
    /// Its words.
    case open
    /// Its id alone; the app fetches the words with the reader's own credentials.
    case secure
}

/// What few events have: users, another delivery, the order of a person to send it once more, a kind that depends on its story.
///
/// An object, since events are copied often and hardly any has one.
final class EventAddress: Sendable, Equatable {
    /// The most users of one event.
    static let maximumUsers = 1000

    let users: [String]
    let delivery: EventDelivery
    let replay: ReplayMark?
    let kindIfFirst: EventKind?

    private init(users: [String], delivery: EventDelivery, replay: ReplayMark?, kindIfFirst: EventKind?) {
        self.users = users
        self.delivery = delivery
        self.replay = replay
        self.kindIfFirst = kindIfFirst
    }

    /// `nil` for an event without any of them.
    static func of(
        users: [String],
        delivery: EventDelivery,
        replay: ReplayMark? = nil,
        kindIfFirst: EventKind? = nil
    ) -> EventAddress? {
        users.isEmpty && delivery == .open && replay == nil && kindIfFirst == nil
            ? nil : EventAddress(users: users, delivery: delivery, replay: replay, kindIfFirst: kindIfFirst)
    }

    static func == (left: EventAddress, right: EventAddress) -> Bool {
        left === right
            || (left.delivery == right.delivery && left.users == right.users && left.replay == right.replay
                && left.kindIfFirst == right.kindIfFirst)
    }
}
