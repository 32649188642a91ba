import NewsflashKafka

/// Judges the signs of life of the threads that a worker depends on.
struct HangDetector: Sendable {
    /// The times of the last signs of life, at one check.
    struct Heartbeats {
        var consumer: KafkaConsumerHealth
        /// Time since the last turn of the publishing thread; `nil` before its first turn.
        var publishing: Duration?
        /// Time since the last rounds of the readers' threads.
        var readers: [ReaderSilence] = []
    }

    /// The longest allowed time without a sign of life: longer than a revocation may take.
    let longestSilence: Duration
    private var suspicions = 0

    /// Starts without suspicion.
    init(drain: Duration, sessionTimeout: Duration) {
        longestSilence = drain + sessionTimeout * 3
    }

    /// Checks once.
    ///
    /// - Returns: A description of the hanging thread after two checks that found one. A single check is not enough: after a
    ///   suspension of the process all signs look old.
    mutating func check(_ heartbeats: Heartbeats, now: ContinuousClock.Instant) -> String? {
        let fault = fault(in: heartbeats, now: now)
        suspicions = fault == nil ? 0 : suspicions + 1
        return suspicions < 2 ? nil : fault
    }

    private func fault(in heartbeats: Heartbeats, now: ContinuousClock.Instant) -> String? {
        let verdict = heartbeats.consumer.verdict(
            at: now,
            longestJoin: longestSilence + .seconds(60),
            longestSilence: longestSilence
        )
        if case .hung(let reason) = verdict { return "the Kafka client hangs: \(reason)" }
        if let silence = heartbeats.publishing, silence > longestSilence {
            return "the publishing thread hangs: it has not run for \(silence.components.seconds) s"
        }
        let reader = heartbeats.readers.first { $0.length > longestSilence }
        return reader.map { reader in
            "the Kafka client hangs: the thread that reads \(reader.name) has been blocked for "
                + "\(reader.length.components.seconds) s"
        }
    }
}

/// The time since the last sign of life of a reader's thread.
struct ReaderSilence: Sendable {
    /// The topic or records that it reads, for messages.
    let name: String
    let length: Duration

    init(_ name: String, since served: ContinuousClock.Instant) {
        self.name = name
        length = ContinuousClock.now - served
    }
}
