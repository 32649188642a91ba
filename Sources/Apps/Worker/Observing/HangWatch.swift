import Kafka

/// Judges signs of life of the threads that a worker cannot do without.
struct HangWatch: Sendable {
    /// The signs that one look sees.
    struct Signs {
        var consumer: KafkaConsumerHealth
        /// How long ago the publishing thread turned last; `nil` before its first turn.
        var publishing: Duration?
        /// How long ago the threads of readers took their last round.
        var readers: [ReaderSilence] = []
    }

    /// How long a thread may be without a sign of life: longer than it may take to give partitions back.
    let longestSilence: Duration
    private var suspicions = 0

    /// Begins without suspicion.
    init(drain: Duration, sessionTimeout: Duration) {
        longestSilence = drain + sessionTimeout * 3
    }

    /// Looks once more.
    ///
    /// - Returns: The thread that hangs, after two looks that saw one. A process that stood still as a whole finds all signs
    ///   old in its first look.
    mutating func look(at signs: Signs, now: ContinuousClock.Instant) -> String? {
        let fault = fault(in: signs, now: now)
        suspicions = fault == nil ? 0 : suspicions + 1
        return suspicions < 2 ? nil : fault
    }

    private func fault(in signs: Signs, now: ContinuousClock.Instant) -> String? {
        let verdict = signs.consumer.verdict(
            at: now,
            longestJoin: longestSilence + .seconds(60),
            longestSilence: longestSilence
        )
        if case .hung(let reason) = verdict { return "the Kafka client hangs: \(reason)" }
        if let silence = signs.publishing, silence > longestSilence {
            return "the publishing thread hangs: it has not turned for \(silence.components.seconds) s"
        }
        let reader = signs.readers.first { $0.length > longestSilence }
        return reader.map { reader in
            "the Kafka client hangs: the thread that reads \(reader.name) has been held for "
                + "\(reader.length.components.seconds) s"
        }
    }
}

/// How long the thread of a reader has given no sign of life.
struct ReaderSilence: Sendable {
    /// The topic or records that it reads, for messages.
    let name: String
    let length: Duration

    init(_ name: String, since served: ContinuousClock.Instant) {
        self.name = name
        length = ContinuousClock.now - served
    }
}
