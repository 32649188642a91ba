/// What of an event may travel through push services.
package enum EventDelivery: String, Sendable, CaseIterable {
    /// Its words.
    case open
    /// Its id alone; the app fetches the words with the reader's own credentials.
    case secure
}

/// Whom an event names and how it travels.
///
/// An object, since events are copied often and hardly any has one.
final class EventAddress: Sendable, Equatable {
    /// The most users of one event.
    static let maximumUsers = 1000

    let users: [String]
    let delivery: EventDelivery

    private init(users: [String], delivery: EventDelivery) {
        self.users = users
        self.delivery = delivery
    }

    /// `nil` for an event without users that travels as most do.
    static func of(users: [String], delivery: EventDelivery) -> EventAddress? {
        users.isEmpty && delivery == .open ? nil : EventAddress(users: users, delivery: delivery)
    }

    static func == (left: EventAddress, right: EventAddress) -> Bool {
        left === right || (left.delivery == right.delivery && left.users == right.users)
    }
}
