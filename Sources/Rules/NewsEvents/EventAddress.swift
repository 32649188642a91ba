/// What of an event may travel through push services.
package enum EventDelivery: String, Sendable, CaseIterable {
    /// Its words.
    case open
    /// Its id alone; the app fetches the words with the reader's own credentials.
    case secure
}

/// Whom an event names, how it travels, and whether a person ordered it once more.
///
/// An object, since events are copied often and hardly any has one.
final class EventAddress: Sendable, Equatable {
    /// The most users of one event.
    static let maximumUsers = 1000

    let users: [String]
    let delivery: EventDelivery
    let replay: ReplayMark?

    private init(users: [String], delivery: EventDelivery, replay: ReplayMark?) {
        self.users = users
        self.delivery = delivery
        self.replay = replay
    }

    /// `nil` for an event without users that travels as most do, and is told for the first time.
    static func of(users: [String], delivery: EventDelivery, replay: ReplayMark? = nil) -> EventAddress? {
        users.isEmpty && delivery == .open && replay == nil
            ? nil : EventAddress(users: users, delivery: delivery, replay: replay)
    }

    static func == (left: EventAddress, right: EventAddress) -> Bool {
        left === right || (left.delivery == right.delivery && left.users == right.users && left.replay == right.replay)
    }
}
