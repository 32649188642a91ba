/// The outcomes and dead letters that are not confirmed. Determines which of their records are written next, and in which form.
///
/// A write has one record for the outcome and, for a dead letter, one more. It ends when all its records are confirmed or one
/// has failed. After a failure, only the unconfirmed records are written again. If a topic refuses a record permanently, a
/// shorter form is written. A dead letter that is refused in each form is left out, and the outcome records that. The shortest
/// outcome is written again until it is confirmed: without it nobody could see what became of the event.
package struct OutcomeQueue: Sendable {
    /// How much of the original a dead letter contains.
    package enum DeadLetterForm: Sendable {
        case whole
        /// For a topic whose size limit is below the value.
        case withoutValue
        /// For a topic that also refuses key and headers.
        case factsOnly

        /// The form after a permanent refusal; `nil` if the topic accepts nothing.
        fileprivate var next: DeadLetterForm? {
            switch self {
            case .whole: .withoutValue
            case .withoutValue: .factsOnly
            case .factsOnly: nil
            }
        }
    }

    /// How much an outcome contains.
    package enum OutcomeForm: Sendable {
        case whole
        /// Without requests and warnings.
        case short
    }

    /// The records of one write that are written now.
    package struct Records: Sendable {
        package let write: OutcomeWrite
        /// `nil` if the outcome is confirmed.
        package let outcome: OutcomeForm?
        /// `nil` without a dead letter, or if it is confirmed, or refused in each form.
        package let deadLetter: DeadLetterForm?
        /// Whether its topic refused the dead letter in each form. The outcome records it.
        package let isDeadLetterRefused: Bool
    }

    /// The delivery report of one record.
    package enum Report: Sendable {
        case confirmed
        /// The topic would refuse the same record again if `isPermanent`.
        case failed(String, isPermanent: Bool)
    }

    private struct Entry {
        var write: OutcomeWrite
        var isOutcomeConfirmed = false
        var isLetterConfirmed = false
        /// The number of records without a delivery report.
        var left = 0
        var failure: String?
        /// The next form of the dead letter; `nil` if its topic refused all.
        var letter: DeadLetterForm? = .whole
        /// The next form of the outcome.
        var outcome = OutcomeForm.whole

        var hasLetter: Bool { write.deadLetter != nil && write.original != nil }
    }

    private var entries: [WriteID: Entry] = [:]
    /// Writes whose records are not encoded yet.
    private var ready = RingQueue<WriteID>()

    package init() {}

    /// The number of writes whose records are not encoded yet.
    package var readyCount: Int { ready.count }

    /// Adds a write, new or after a failure.
    package mutating func add(_ write: OutcomeWrite) {
        var entry = entries[write.id] ?? Entry(write: write)
        entry.write = write
        entry.failure = nil
        entries[write.id] = entry
        ready.append(write.id)
    }

    /// Removes the first write from those that are not encoded yet.
    ///
    /// - Returns: Its unconfirmed records; `nil` if none waits.
    package mutating func next() -> Records? {
        while let id = ready.popFirst() {
            // A forgotten write has no entry.
            guard var entry = entries[id] else { continue }
            let outcome = entry.isOutcomeConfirmed ? nil : entry.outcome
            let letter = entry.isLetterConfirmed || !entry.hasLetter ? nil : entry.letter
            entry.left += (outcome == nil ? 0 : 1) + (letter == nil ? 0 : 1)
            entries[id] = entry
            return Records(
                write: entry.write,
                outcome: outcome,
                deadLetter: letter,
                isDeadLetterRefused: entry.letter == nil
            )
        }
        return nil
    }

    /// Receives one delivery report.
    ///
    /// - Parameters:
    ///   - id: The write.
    ///   - isDeadLetter: Whether it is the report of the dead letter, not of the outcome.
    ///   - report: The report.
    /// - Returns: The result of the write; `nil` if another report of the write is pending, or if the write was forgotten.
    package mutating func reported(_ id: WriteID, isDeadLetter: Bool, _ report: Report) -> WriteResult? {
        guard var entry = entries[id] else { return nil }
        entry.left -= 1
        switch report {
        case .confirmed where isDeadLetter: entry.isLetterConfirmed = true
        case .confirmed: entry.isOutcomeConfirmed = true
        case .failed(let detail, let isPermanent):
            entry.failure = detail
            if isPermanent, isDeadLetter {
                entry.letter = entry.letter?.next
                // A confirmed outcome is written once more, because it does not record the refusal.
                if entry.letter == nil { entry.isOutcomeConfirmed = false }
            }
            if isPermanent, !isDeadLetter { entry.outcome = .short }
        }
        entries[id] = entry.left == 0 && entry.failure == nil ? nil : entry
        return entry.left == 0 ? WriteResult(id: id, failure: entry.failure) : nil
    }

    /// Forgets the writes of revoked partitions.
    package mutating func forget(_ partitions: [PartitionID]) {
        entries = entries.filter { !partitions.contains($0.value.write.partition) }
    }
}
