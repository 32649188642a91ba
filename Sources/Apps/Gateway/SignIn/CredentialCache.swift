import Signing
import Timestamps

/// Credentials that were found right a short while ago, so that not each request costs a slow hash.
///
/// No password is kept, but a code of name and password under a key that this process made up and tells nobody. An entry
/// counts only for the hash that it was checked against: a changed password or a removed user is noticed at once.
struct CredentialCache {
    /// The code of a name and a password.
    typealias Code = [UInt8]

    private struct Entry {
        var hash: PasswordHash
        var expires: Instant
    }

    private let life: Duration
    private let capacity: Int
    private var young: [Code: Entry] = [:]
    private var old: [Code: Entry] = [:]

    init(life: Duration, capacity: Int) {
        self.life = life
        self.capacity = max(2, capacity)
    }

    /// Whether credentials were found right against this hash.
    func knows(_ code: Code, for hash: PasswordHash, now: Instant) -> Bool {
        guard let entry = young[code] ?? old[code] else { return false }
        return now < entry.expires && entry.hash == hash
    }

    /// Keeps credentials that were found right.
    mutating func keep(_ code: Code, for hash: PasswordHash, now: Instant) {
        young[code] = Entry(hash: hash, expires: now + life)
        guard young.count >= capacity / 2 else { return }
        old = young
        young = [:]
    }
}
