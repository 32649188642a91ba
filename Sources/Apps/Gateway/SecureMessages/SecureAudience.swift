import NewsEvents

/// Who may read a secure event. An object, since what is known of one story often has the same.
final class SecureAudience: Sendable {
    /// Whether the event names categories: whoever chose one of them got its id, and the hub alone knows who did.
    let isEverybody: Bool
    let users: Set<String>

    init(isEverybody: Bool, users: Set<String>) {
        self.isEverybody = isEverybody
        self.users = users
    }

    /// The audience that an event names itself.
    convenience init(of event: NewsEvent) {
        self.init(isEverybody: !event.categories.isEmpty, users: Set(event.users))
    }

    func admits(_ user: String) -> Bool { isEverybody || users.contains(user) }

    /// Whether all whom another admits are admitted here.
    func covers(_ other: SecureAudience) -> Bool {
        isEverybody || (!other.isEverybody && other.users.isSubset(of: users))
    }

    /// All whom one of the two admits.
    func united(with other: SecureAudience) -> SecureAudience {
        if covers(other) { return self }
        if other.covers(self) { return other }
        return SecureAudience(isEverybody: isEverybody || other.isEverybody, users: users.union(other.users))
    }

    /// What it takes in memory, about.
    var byteCount: Int { users.reduce(64) { $0 + 48 + $1.utf8.count } }
}
