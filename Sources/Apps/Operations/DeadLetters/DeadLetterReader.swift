import NewsflashBasics
import NewsflashPublishing
package import NewsflashTimestamps
import NewsflashTopicPartitions
package import NewsflashWorker

/// Reads dead letters, and finds out what became of each: copies are in the source topic, events that were sent later are
/// in the outcomes.
package struct DeadLetterReader: Sendable {
    /// The result of a reading.
    package struct Reading: Sendable {
        /// The dead letters of this group and its sources, oldest first.
        package var letters: [AssessedDeadLetter] = []
        /// The number of records that are not dead letters of newsflash.
        var strange = 0
        /// The number of dead letters of other groups, or of topics that are not sources here.
        var foreign = 0
    }

    /// An upper bound of the clock difference between workers and brokers.
    private static let margin = Duration.seconds(600)

    package let settings: TopicSettings
    /// The number of redrives from which a dead letter is quarantined.
    package let mostRedrives: Int

    package init(settings: TopicSettings, mostRedrives: Int) {
        self.settings = settings
        self.mostRedrives = mostRedrives
    }

    /// Reads the dead letters that match.
    ///
    /// - Parameters:
    ///   - criteria: The criteria.
    ///   - range: The time at which they were written.
    /// - Returns: The dead letters with their states.
    /// - Throws: ``OperationError`` if a topic cannot be read.
    package func read(
        _ criteria: DeadLetterCriteria,
        _ range: (since: Timestamp?, until: Timestamp?)
    ) async throws(OperationError) -> Reading {
        let scan = TopicScan(
            settings.kafka,
            topics: [settings.topics.deadLetters],
            from: range.since.map { .time($0) } ?? .earliest,
            to: range.until.map { .time($0) } ?? .present
        )
        return try await judged(try await letters(scan) { criteria.accepts($0) })
    }

    /// Reads one dead letter.
    ///
    /// - Returns: `nil` if no such dead letter exists.
    /// - Throws: ``OperationError`` if a topic cannot be read.
    package func read(_ place: DeadLetterPosition) async throws(OperationError) -> AssessedDeadLetter? {
        let partition = TopicPartition(topic: settings.topics.deadLetters, partition: place.partition)
        let scan = TopicScan(
            settings.kafka,
            topics: [settings.topics.deadLetters],
            from: .offsets([partition: place.offset]),
            to: .offsets([partition: place.offset + 1])
        )
        return try await judged(try await letters(scan) { $0.place == place }).letters.first
    }

    /// The contents of the topic of dead letters, before they are compared with other topics.
    private struct Found: Sendable {
        var letters: [DeadLetterEntry] = []
        var strange = 0
        var foreign = 0
        /// Copies that failed again, by the names of the dead letters that they were copied from. These dead letters are
        /// kept longer than the copies in the source topic.
        var failedCopies: [String: RedrivenCopy] = [:]
    }

    private func letters(
        _ scan: TopicScan,
        _ isMeant: @escaping @Sendable (DeadLetterEntry) -> Bool
    ) async throws(OperationError) -> Found {
        let found = Locked(Found())
        _ = try await scan.run { messages in
            for message in messages {
                let letter = DeadLetterEntry(message)
                found.withLock { found in
                    guard let letter else { return found.strange += 1 }
                    if let name = letter.copyOf { found.failedCopies[name] = RedrivenCopy(failed: letter) }
                    guard isMeant(letter) else { return }
                    if isOurs(letter) { found.letters.append(letter) } else { found.foreign += 1 }
                }
            }
            return true
        }
        return found.withLock { $0 }
    }

    /// Whether a dead letter is of this group and its sources. Other groups read the same sources, so a redrive reaches
    /// all.
    private func isOurs(_ letter: DeadLetterEntry) -> Bool {
        (letter.group ?? settings.group) == settings.group
            && settings.sources.contains { $0.topic == letter.origin.partition.topic }
    }

    // MARK: - What has become of them

    private func judged(_ found: Found) async throws(OperationError) -> Reading {
        var reading = Reading(strange: found.strange, foreign: found.foreign)
        guard let first = found.letters.map(\.at).min() else { return reading }
        let journal = RedriveJournal(settings)
        var copies = try await journal.copies(since: first - Self.margin)
        for letter in found.letters where copies[letter.place] == nil {
            copies[letter.place] = found.failedCopies[journal.name(of: letter.place)]
        }
        let news = try await LaterOutcomes(settings, since: first - Self.margin, of: found.letters, copies)
        for letter in found.letters.sorted(by: { ($0.at, $0.place) < ($1.at, $1.place) }) {
            reading.letters.append(AssessedDeadLetter(letter: letter, state: state(of: letter, copies, news)))
        }
        return reading
    }

    private func state(
        of letter: DeadLetterEntry,
        _ copies: [DeadLetterPosition: RedrivenCopy],
        _ news: LaterOutcomes
    ) -> DeadLetterState {
        if var copy = copies[letter.place] {
            copy.verdict = news.verdict(on: copy) ?? copy.verdict
            return .redriven(copy)
        }
        if let at = news.sentAfter(letter) { return .sentSince(at) }
        return letter.redrives >= mostRedrives ? .quarantined : .open
    }
}

/// Criteria that select dead letters; an empty or absent criterion matches all.
package struct DeadLetterCriteria: Sendable {
    /// Reason codes, or their prefixes up to a dot.
    package var reasons: [String] = []
    package var stage: String?
    package var story: String?
    package var event: String?

    package init(reasons: [String] = [], stage: String? = nil, story: String? = nil, event: String? = nil) {
        self.reasons = reasons
        self.stage = stage
        self.story = story
        self.event = event
    }

    /// Returns whether a dead letter matches all criteria.
    ///
    /// - Returns: Whether all criteria match.
    package func accepts(_ letter: DeadLetterEntry) -> Bool {
        if !reasons.isEmpty, !reasons.contains(where: { letter.reason == $0 || letter.reason.hasPrefix($0 + ".") }) {
            return false
        }
        if let stage, letter.stage != stage { return false }
        if let story, letter.story != story { return false }
        if let event, letter.event != event { return false }
        return true
    }

    /// Returns whether the criteria are so specific that somebody has surely inspected the dead letter.
    ///
    /// - Parameter letter: A dead letter that matches.
    /// - Returns: Whether the complete reason or the event is given.
    package func names(_ letter: DeadLetterEntry) -> Bool {
        event != nil || reasons.contains(letter.reason)
    }
}
