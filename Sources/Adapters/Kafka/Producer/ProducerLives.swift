/// When a producer may make itself anew: at once, unless it was fatal to its last lives soon after they had begun. Brokers that
/// refuse every new one, for want of a right, would else be asked as fast as they answer.
struct ProducerLives {
    /// A life that lasted as long has proved that a new one can help.
    private static let goodLife = Duration.seconds(10)
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)

    private var birth: ContinuousClock.Instant
    private var nextBirth: ContinuousClock.Instant
    private var shortLives = 0

    /// Begins with the first life.
    init(at now: ContinuousClock.Instant) {
        birth = now
        nextBirth = now
    }

    /// Whether the next life may begin.
    func mayBegin(at now: ContinuousClock.Instant) -> Bool { now >= nextBirth }

    /// Takes note of the next life.
    mutating func began(at now: ContinuousClock.Instant) { birth = now }

    /// Takes note of the end of a life. After the first short one the next begins at once, then later each time.
    mutating func ended(at now: ContinuousClock.Instant) {
        shortLives = now - birth < Self.goodLife ? min(shortLives + 1, 10) : 0
        let pause = shortLives < 2 ? .zero : min(Self.firstPause * (1 << (shortLives - 2)), Self.longestPause)
        nextBirth = now + pause
    }
}
