/// When a producer may replace its instance: at once, unless its last instances had a fatal error soon after their start.
/// Otherwise brokers that refuse every instance because of a missing right would be asked without a pause.
struct ProducerRestarts {
    /// An instance that lived this long shows that a new one can help.
    private static let goodLife = Duration.seconds(10)
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)

    private var birth: ContinuousClock.Instant
    private var nextBirth: ContinuousClock.Instant
    private var shortLives = 0

    /// Starts with the first instance.
    init(at now: ContinuousClock.Instant) {
        birth = now
        nextBirth = now
    }

    /// Whether the next instance may start.
    func mayBegin(at now: ContinuousClock.Instant) -> Bool { now >= nextBirth }

    /// Records the start of an instance.
    mutating func began(at now: ContinuousClock.Instant) { birth = now }

    /// Records the end of an instance. After the first short life the next one starts at once, then each time later.
    mutating func ended(at now: ContinuousClock.Instant) {
        shortLives = now - birth < Self.goodLife ? min(shortLives + 1, 10) : 0
        let pause = shortLives < 2 ? .zero : min(Self.firstPause * (1 << (shortLives - 2)), Self.longestPause)
        nextBirth = now + pause
    }
}
