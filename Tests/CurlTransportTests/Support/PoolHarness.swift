import NewsflashTimestamps

@testable import NewsflashCurlTransport

/// A pool in virtual time, with its decisions as text.
struct PoolHarness {
    var pool: ConnectionPool<String>
    let (one, other): (Int, Int)
    var now = Instant(nanoseconds: 1_000_000_000_000)

    /// Creates a pool without connections; their age is 300 s, a fifth more if the chance is 1, and a fifth less if it
    /// is -1.
    init(perOrigin: Int = 2, all: Int = 4, chance: @escaping () -> Double = { 0 }) {
        pool = ConnectionPool(
            .init(perOrigin: perOrigin, all: all, idleTime: .seconds(60), age: .seconds(300)),
            chance: chance
        )
        (one, other) = (pool.addOrigin(), pool.addOrigin())
    }

    mutating func decisions() -> [String] {
        var words: [String] = []
        while let action = pool.next(now: now) {
            switch action {
            case .use(let slot, let waiting): words.append("\(waiting) on \(slot)")
            case .open(let slot, let origin): words.append("open \(slot) to \(origin == one ? "one" : "other")")
            case .close(let slot): words.append("close \(slot)")
            }
        }
        return words
    }

    /// Reports a connection as open, or its request as answered.
    ///
    /// - Returns: Whether the pool keeps it.
    @discardableResult
    mutating func settle(_ slot: Int, after pause: Duration = .milliseconds(1), idleTime: Duration? = nil) -> Bool {
        now += pause
        return pool.settle(slot: slot, idleTime: idleTime, now: now)
    }

    /// Enqueues a request and answers it at once.
    ///
    /// - Returns: The decisions on it.
    mutating func exchange(_ name: String) -> [String] {
        pool.append(name, origin: one)
        var words = decisions()
        while let word = words.last, word.hasPrefix("open ") {
            settle(Int(word.split(separator: " ")[1]) ?? 0, after: .zero)
            words += decisions()
        }
        if let word = words.last, let slot = Int(word.split(separator: " ").last ?? "") { settle(slot, after: .zero) }
        return words
    }
}
