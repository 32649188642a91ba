import NewsflashBasics
package import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
package import NewsflashTopicPartitions
package import NewsflashWorker

/// Writes copies of dead letters to their source topics, and waits for their outcomes.
package struct RedriveRun: Sendable {
    package let settings: TopicSettings
    /// Records written per second.
    package let rate: Int
    /// The reason given by the person who sends them again; without text of news.
    package let reason: String?

    package init(settings: TopicSettings, rate: Int, reason: String?) {
        self.settings = settings
        self.rate = rate
        self.reason = reason
    }

    /// Returns the copy of a dead letter: the original with headers that identify the dead letter.
    ///
    /// - Returns: A record for the original partition, because the ledger of that partition contains the story.
    package func record(of letter: DeadLetterEntry, _ body: DeadLetterBody) -> KafkaRecord {
        var headers = body.ownHeaders
        headers.append(KafkaHeader(name: RedriveHeader.count, text: "\(letter.redrives + 1)"))
        headers.append(KafkaHeader(name: RedriveHeader.letter, text: RedriveJournal(settings).name(of: letter.place)))
        if let reason { headers.append(KafkaHeader(name: RedriveHeader.reason, text: reason)) }
        return KafkaRecord(
            topic: letter.origin.partition.topic,
            partition: letter.origin.partition.partition,
            key: body.key,
            value: body.value,
            headers: headers
        )
    }

    /// Writes copies at the rate.
    ///
    /// - Parameter letters: The dead letters with their bodies, in order.
    /// - Returns: The position of each copy.
    /// - Throws: ``OperationError`` if a copy was not confirmed. The next run finds the copies that were written.
    package func write(
        _ letters: [(letter: DeadLetterEntry, body: DeadLetterBody)]
    ) async throws(OperationError) -> [RedrivenLetter] {
        let result = await PacedWriter(settings.kafka, rate: rate).write(letters.map { record(of: $0.letter, $0.body) })
        if let failure = result.failure {
            let topics = Set(letters.map(\.letter.origin.partition.topic)).sorted().joined(separator: ", ")
            throw OperationError(
                .unavailable,
                settings.kafka,
                failure,
                right: "Write on the topic \(topics)",
                state: "\(result.written.count) of \(letters.count) written: run the same command again, which writes "
                    + "none twice"
            )
        }
        return letters.enumerated().compactMap { index, entry in
            result.written[index].map { place in
                let copy = RedrivenCopy(partition: place.topicPartition, offset: place.offset)
                return RedrivenLetter(letter: entry.letter, copy: copy)
            }
        }
    }

    /// Waits for the workers' verdicts on copies.
    ///
    /// - Parameters:
    ///   - letters: The dead letters with their copies.
    ///   - beginning: The position from which the outcomes are read.
    ///   - patience: The maximum time to wait.
    /// - Returns: The dead letters with the latest verdict on each, if there is one.
    /// - Throws: ``OperationError`` if the outcomes cannot be read.
    package func verdicts(
        on letters: [RedrivenLetter],
        from beginning: [TopicPartition: Int64],
        within patience: Duration
    ) async throws(OperationError) -> [RedrivenLetter] {
        let known = try await OutcomeWait(settings).outcomes(
            of: Set(letters.map { LaterOutcomes.Origin($0.copy) }),
            from: beginning,
            within: patience
        ) { _ in true }
        return letters.map { letter in
            var letter = letter
            letter.copy.verdict = known[LaterOutcomes.Origin(letter.copy)]?.verdict ?? letter.copy.verdict
            return letter
        }
    }
}

/// A dead letter that was sent again.
package struct RedrivenLetter: Sendable {
    package var letter: DeadLetterEntry
    package var copy: RedrivenCopy

    init(letter: DeadLetterEntry, copy: RedrivenCopy) {
        self.letter = letter
        self.copy = copy
    }

    /// The dead letter and its copy as a JSON object.
    package var json: [UInt8] { AssessedDeadLetter(letter: letter, state: .redriven(copy)).json }
}

/// The headers of a redriven record. The source topics are the only journal of redrives, so nothing can contradict them.
enum RedriveHeader {
    static let prefix = "newsflash-redrive-"
    /// The dead letter that was copied: topic, partition and offset.
    static let letter = prefix + "letter"
    /// The reason given by the person who sent it again.
    static let reason = prefix + "reason"
    /// The number of redrives; the worker copies it to the next dead letter.
    static let count = DeadLetter.headerPrefix + "redrives"
}

/// Reads from the source topics which dead letters were sent again.
struct RedriveJournal: Sendable {
    private let settings: TopicSettings

    init(_ settings: TopicSettings) {
        self.settings = settings
    }

    /// Returns the name of a dead letter in the header of its copy.
    ///
    /// - Returns: The name, such as `newsflash.dead-letters.v1/3@4711`.
    func name(of place: DeadLetterPosition) -> String { "\(settings.topics.deadLetters)/\(place)" }

    /// Returns the existing copies.
    ///
    /// - Parameter time: Records before this time are not read.
    /// - Returns: The first copy of each dead letter.
    /// - Throws: ``OperationError`` if a source cannot be read.
    func copies(since time: Timestamp) async throws(OperationError) -> [DeadLetterPosition: RedrivenCopy] {
        let topics = Set(settings.sources.map(\.topic)).sorted()
        let prefix = settings.topics.deadLetters + "/"
        let copies = Locked<[DeadLetterPosition: RedrivenCopy]>([:])
        _ = try await TopicScan(settings.kafka, topics: topics, from: .time(time), to: .present).run { messages in
            for message in messages {
                guard let name = message.headers.last(where: { $0.name == RedriveHeader.letter })?.value else {
                    continue
                }
                let text = String(decoding: name, as: UTF8.self)
                guard text.hasPrefix(prefix),
                    let place = DeadLetterPosition(String(text.dropFirst(prefix.count)))
                else { continue }
                let copy = RedrivenCopy(partition: message.topicPartition, offset: message.offset)
                copies.withLock { copies in
                    if copies[place] == nil { copies[place] = copy }
                }
            }
            return true
        }
        return copies.withLock { $0 }
    }
}
