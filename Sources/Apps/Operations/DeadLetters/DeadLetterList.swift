import NewsflashTimestamps

/// The text of `dead-letters list`, by reason.
package struct DeadLetterList {
    /// The maximum number of samples per reason.
    private static let sampleCount = 3

    private let reading: DeadLetterReader.Reading
    private let shown: [AssessedDeadLetter]
    private let topic: String
    private let filter: String

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - reading: The dead letters read.
    ///   - shown: The dead letters to count by reason.
    ///   - topic: The topic of dead letters.
    ///   - filter: The options of the command, for use in hints.
    package init(_ reading: DeadLetterReader.Reading, shown: [AssessedDeadLetter], topic: String, filter: String) {
        self.reading = reading
        self.shown = shown
        self.topic = topic
        self.filter = filter
    }

    /// The list.
    package var lines: [String] {
        var lines = [heading]
        if reading.foreign > 0 {
            lines.append(
                "\(reading.foreign) more belong to other groups, or to topics that this configuration does not read"
            )
        }
        if reading.strange > 0 {
            lines.append(
                "\(counted(reading.strange, "record")) of the topic skipped: not a dead letter of newsflash"
            )
        }
        for group in Self.groups(shown) { lines += [""] + paragraph(group) }
        return lines + hints
    }

    /// The next steps; empty if there is nothing to do.
    private var hints: [String] {
        guard let first = shown.first(where: { $0.state.isOpen }) else { return [] }
        let look = ["", "inspect one:", "  newsflash dead-letters show \(first.letter.place)"]
        guard let open = shown.first(where: { $0.state == .open })?.letter else {
            return look + ["all are quarantined; redrive them with --quarantined"]
        }
        let words = filter.isEmpty ? " --outcome \(open.reason)" : filter
        return look + ["after correcting the cause, send them again:", "  newsflash dead-letters redrive\(words)"]
    }

    private var heading: String {
        guard !reading.letters.isEmpty else {
            return "no dead letters in \(topic)\(filter.isEmpty ? "" : " for\(filter)")"
        }
        return "\(counted(reading.letters.count, "dead letter")) in \(topic): \(Self.states(reading.letters))"
    }

    /// Groups dead letters by reason and stage; the largest group first.
    static func groups(_ letters: [AssessedDeadLetter]) -> [[AssessedDeadLetter]] {
        let groups = Dictionary(grouping: letters) { "\($0.letter.reason) \($0.letter.stage)" }
        return groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
    }

    /// Returns the number of dead letters by state: `97 open, 3 quarantined`.
    package static func states(_ letters: [AssessedDeadLetter]) -> String {
        let counts = Dictionary(grouping: letters, by: \.state.word).mapValues(\.count)
        return ["open", "quarantined", "redriven", "sent"]
            .compactMap { word in counts[word].map { "\($0) \(word == "sent" ? "sent since" : word)" } }
            .joined(separator: ", ")
    }

    private func paragraph(_ letters: [AssessedDeadLetter]) -> [String] {
        guard let first = letters.first, let last = letters.last else { return [] }
        var lines = ["\(first.letter.reason), found at \(first.letter.stage): \(Self.states(letters))"]
        lines.append("  oldest \(first.letter.at.rfc3339), newest \(last.letter.at.rfc3339)")
        // The newest first, because people usually ask about these.
        for sample in letters.suffix(Self.sampleCount).reversed() {
            lines.append("  \(sample.letter.place)  \(sample.letter.name)\(Self.statusSuffix(of: sample))")
            if let detail = sample.letter.detail { lines.append("      \(detail)") }
        }
        if letters.count > Self.sampleCount { lines.append("  and \(letters.count - Self.sampleCount) more") }
        return lines
    }

    /// Returns the status suffix of a sample; empty for untouched dead letters.
    private static func statusSuffix(of sample: AssessedDeadLetter) -> String {
        switch sample.state {
        case .open: sample.letter.redrives == 0 ? "" : ", redriven \(counted(sample.letter.redrives, "time")) before"
        case .quarantined: ", quarantined after \(counted(sample.letter.redrives, "redrive"))"
        case .redriven(let copy): ", redriven to \(copy.place): \(copy.verdict?.line ?? "no outcome yet")"
        case .sentSince(let at): ", sent since, at \(at.rfc3339)"
        }
    }
}
