import Signing
import Timestamps

/// Credentials that were recently found right, so that not every request needs a slow hash.
///
/// Stores no password, but a code of name and password under a random key of this process. An entry is valid only for the hash
/// against which it was checked, so a changed password or a removed user takes effect at once.
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

    /// Whether credentials were recently found right against this hash. If so, their entry may be extended, so that a frequent
    /// user
    /// is never hashed again.
    mutating func knows(_ code: Code, for hash: PasswordHash, now: Instant) -> Bool {
        guard let entry = entries[code], now < entry.expires, entry.hash == hash else { return false }
        // Not extended with each request, so that most requests only read.
        if entry.expires - now < life - life / 8 { keep(code, for: hash, now: now) }
        return true
    }

    /// Stores credentials that were found right.
    mutating func keep(_ code: Code, for hash: PasswordHash, now: Instant) {
        entries.keep(Entry(hash: hash, expires: now + life), for: code)
    }
}
