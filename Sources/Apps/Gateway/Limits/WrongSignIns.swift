import NewsflashBasics
import NewsflashHTTPServer
import NewsflashTimestamps
import NewsflashWorker

/// Limits wrong sign-ins: with one name from one address, and from one address with any names.
///
/// An attempt is counted before the password is checked, and taken back if it was right. Therefore parallel guesses are counted
/// correctly, and right sign-ins do not count. The name alone is not counted, so an attacker elsewhere cannot lock out a user.
package final class WrongSignIns: Sendable {
    private struct Pair: Hashable, Sendable {
        var name: String
        var address: ClientAddress?
    }

    private struct State {
        var pairs: RateTable<Pair>?
        var addresses: RateTable<ClientAddress>?
        /// When an attempt from an address was last rejected without a check.
        var turnedAway = RecentEntries<ClientAddress?, Instant>(capacity: 100_000)
    }

    /// How long an address is suspect after such a rejection. Otherwise an attacker who is mostly rejected would have the same
    /// priority as the right user with each attempt.
    private static let suspicion = Duration.seconds(60)

    private let state: Locked<State>

    /// Creates limits without any counted attempts.
    ///
    /// - Parameters:
    ///   - perName: The limit of wrong passwords with one name from one address; `nil` for no limit.
    ///   - perAddress: The limit of wrong passwords and wrongly signed tokens from one address; `nil` for no limit.
    package init(perName: RequestRate?, perAddress: RequestRate?) {
        state = Locked(
            State(pairs: perName.map { RateTable(rate: $0) }, addresses: perAddress.map { RateTable(rate: $0) })
        )
    }

    /// Whether an address recently had a wrong sign-in, a check in progress, or a rejection without a check.
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - client: The address of the client.
    ///   - now: The current instant.
    /// - Returns: Whether the address is suspect.
    func isSuspect(_ name: String, from client: ClientAddress?, now: Instant) -> Bool {
        state.withLock { state in
            if let last = state.turnedAway[client?.network], now - last < Self.suspicion { return true }
            let isPairFull = state.pairs?.isFull(Pair(name: name, address: client?.network), now: now) ?? true
            guard let client = client?.network, let addresses = state.addresses else { return !isPairFull }
            return !isPairFull || !addresses.isFull(client, now: now)
        }
    }

    /// Counts an attempt.
    ///
    /// - Parameters:
    ///   - name: The user's name; `nil` for a token.
    ///   - client: The address of the client.
    ///   - now: The current instant.
    /// - Returns: `nil` if the attempt may be checked; otherwise how long to wait.
    func countAttempt(of name: String?, from client: ClientAddress?, now: Instant) -> Duration? {
        state.withLock { state in
            let pair = name.map { Pair(name: $0, address: client?.network) }
            if let pair, let wait = state.pairs?.consumeToken(of: pair, now: now) { return wait }
            guard let client = client?.network, let wait = state.addresses?.consumeToken(of: client, now: now) else {
                return nil
            }
            if let pair { state.pairs?.giveBack(pair, now: now) }
            return wait
        }
    }

    /// Takes back an attempt that was rejected without a check because too many wait; its address is suspect for a minute.
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - client: The address of the client.
    ///   - now: The current instant.
    func turnAway(_ name: String, from client: ClientAddress?, now: Instant) {
        giveBack(name, from: client, now: now)
        state.withLock { $0.turnedAway.keep(now, for: client?.network) }
    }

    /// Takes back an attempt that was right.
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - client: The address of the client.
    ///   - now: The current instant.
    func giveBack(_ name: String, from client: ClientAddress?, now: Instant) {
        state.withLock { state in
            state.pairs?.giveBack(Pair(name: name, address: client?.network), now: now)
            if let client = client?.network { state.addresses?.giveBack(client, now: now) }
        }
    }
}

/// The most recently written entries, with a memory limit.
///
/// Has two generations: when the young one is full, it replaces the old one. So the entries that were not written for the
/// longest
/// time are dropped first, and each operation is fast, except for the one that drops a generation.
struct RecentEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var weight: Int
    }

    private let capacity: Int
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var youngWeight = 0

    /// Creates an empty table.
    ///
    /// - Parameter capacity: The maximum total weight; equals the number of entries if each weighs 1.
    init(capacity: Int) {
        self.capacity = max(2, capacity)
    }

    /// The number of entries.
    var count: Int { young.count + old.count }

    subscript(key: Key) -> Value? { (young[key] ?? old[key])?.value }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - value: The value; replaces the previous value of the key.
    ///   - key: The key.
    ///   - weight: The weight of the entry.
    mutating func keep(_ value: Value, for key: Key, weight: Int = 1) {
        old[key] = nil
        youngWeight += weight - (young.updateValue(Entry(value: value, weight: weight), forKey: key)?.weight ?? 0)
        guard youngWeight >= capacity / 2 else { return }
        old = young
        young = [:]
        youngWeight = 0
    }
}
