import HTTPServer
import Locks
import Timestamps
import Worker

/// How often sign-ins may be wrong: with one name from one address, and from one address with any names.
///
/// An attempt is taken before the password is looked at and given back if it was right: so parallel guesses count as they
/// should, and right sign-ins never do. The name alone is not counted, so a guesser elsewhere keeps nobody out.
package final class WrongSignIns: Sendable {
    private struct Pair: Hashable, Sendable {
        var name: String
        var address: ClientAddress?
    }

    private struct State {
        var pairs: RateTable<Pair>?
        var addresses: RateTable<ClientAddress>?
        /// When an attempt from an address was last turned away without a look.
        var turnedAway = RecentEntries<ClientAddress?, Instant>(capacity: 100_000)
    }

    /// How long an address is suspect after that. Otherwise a guesser of whom few attempts are looked at would be the equal of
    /// the right user with each.
    private static let suspicion = Duration.seconds(60)

    private let state: Locked<State>

    /// Makes limits of which nothing is used up.
    ///
    /// - Parameters:
    ///   - perName: Wrong passwords with one name from one address; `nil` for any number.
    ///   - perAddress: Wrong passwords and wrongly signed tokens from one address; `nil` for any number.
    package init(perName: RequestRate?, perAddress: RequestRate?) {
        state = Locked(
            State(pairs: perName.map { RateTable(rate: $0) }, addresses: perAddress.map { RateTable(rate: $0) })
        )
    }

    /// Whether an address has guessed wrong lately, is being looked at, or was turned away.
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - client: The address that the sign-in comes from.
    ///   - now: The instant of the call.
    /// - Returns: Whether it is.
    func isSuspect(_ name: String, from client: ClientAddress?, now: Instant) -> Bool {
        state.withLock { state in
            if let last = state.turnedAway[client?.network], now - last < Self.suspicion { return true }
            let isPairFull = state.pairs?.isFull(Pair(name: name, address: client?.network), now: now) ?? true
            guard let client = client?.network, let addresses = state.addresses else { return !isPairFull }
            return !isPairFull || !addresses.isFull(client, now: now)
        }
    }

    /// Takes an attempt.
    ///
    /// - Parameters:
    ///   - name: The user's name; `nil` for a token.
    ///   - client: The address that the sign-in comes from.
    ///   - now: The instant of the call.
    /// - Returns: `nil` if it may be looked at, otherwise how long to wait.
    func take(_ name: String?, from client: ClientAddress?, now: Instant) -> Duration? {
        state.withLock { state in
            let pair = name.map { Pair(name: $0, address: client?.network) }
            if let pair, let wait = state.pairs?.take(pair, now: now) { return wait }
            guard let client = client?.network, let wait = state.addresses?.take(client, now: now) else { return nil }
            if let pair { state.pairs?.giveBack(pair, now: now) }
            return wait
        }
    }

    /// Gives an attempt back that was not looked at because too many wait; its address is suspect for a minute.
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - client: The address that the sign-in comes from.
    ///   - now: The instant of the call.
    func turnAway(_ name: String, from client: ClientAddress?, now: Instant) {
        giveBack(name, from: client, now: now)
        state.withLock { $0.turnedAway.keep(now, for: client?.network) }
    }

    /// Gives an attempt back that was right.
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - client: The address that the sign-in comes from.
    ///   - now: The instant of the call.
    func giveBack(_ name: String, from client: ClientAddress?, now: Instant) {
        state.withLock { state in
            state.pairs?.giveBack(Pair(name: name, address: client?.network), now: now)
            if let client = client?.network { state.addresses?.giveBack(client, now: now) }
        }
    }
}
