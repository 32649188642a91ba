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
    private var entries: RecentEntries<Code, Entry>

    init(life: Duration, capacity: Int) {
        self.life = life
        entries = RecentEntries(capacity: capacity)
    }

    /// Whether credentials were found right against this hash. If so they are kept from now on: who asks often enough is never
    /// hashed again.
    mutating func knows(_ code: Code, for hash: PasswordHash, now: Instant) -> Bool {
        guard let entry = entries[code], now < entry.expires, entry.hash == hash else { return false }
        // Not with each request, so that most of them only look.
        if entry.expires - now < life - life / 8 { keep(code, for: hash, now: now) }
        return true
    }

    /// Keeps credentials that were found right.
    mutating func keep(_ code: Code, for hash: PasswordHash, now: Instant) {
        entries.keep(Entry(hash: hash, expires: now + life), for: code)
    }
}
