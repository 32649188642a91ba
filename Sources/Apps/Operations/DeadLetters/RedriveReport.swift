import NewsflashPublishing

/// The results of dead letters that were sent again.
package struct RedriveReport: Sendable {
    /// The maximum number of failed dead letters to list.
    private static let sampleCount = 20

    package let letters: [RedrivenLetter]
    /// The number of redrives from which a dead letter is quarantined.
    package let mostRedrives: Int

    package init(letters: [RedrivenLetter], mostRedrives: Int) {
        self.letters = letters
        self.mostRedrives = mostRedrives
    }

    /// The dead letters that failed again.
    package var failed: [RedrivenLetter] { letters.filter { $0.copy.verdict?.isDeadLetter == true } }

    /// The dead letters without an outcome.
    package var silent: [RedrivenLetter] { letters.filter { $0.copy.verdict == nil } }

    /// The report as text.
    package var lines: [String] {
        guard !letters.isEmpty else { return [] }
        let notified = letters.count { $0.copy.verdict?.isNotified == true }
        var lines = ["of \(letters.count) redriven: \(notified) sent to subscribers, \(failed.count) failed again"]
        let others = letters.filter { letter in
            letter.copy.verdict.map { !$0.isNotified && !$0.isDeadLetter } ?? false
        }
        for (reason, letters) in Self.byReason(others) {
            lines.append("  \(letters.count) ended as \(reason), without notifications and without a fault")
        }
        for letter in failed.prefix(Self.sampleCount) {
            let verdict = letter.copy.verdict?.line ?? ""
            lines.append("  failed again: \(letter.letter.place) \(letter.letter.name): \(verdict)\(count(letter))")
        }
        if failed.count > Self.sampleCount {
            lines.append("  and \(failed.count - Self.sampleCount) more: see 'newsflash dead-letters list'")
        }
        if !silent.isEmpty {
            lines.append("  \(silent.count) without an outcome yet, the first at \(silent[0].copy.place)")
        }
        return lines
    }

    private func count(_ letter: RedrivenLetter) -> String {
        let redrives = letter.letter.redrives + 1
        return redrives >= mostRedrives
            ? "; quarantined after \(counted(redrives, "redrive"))" : "; redrive \(redrives) of \(mostRedrives)"
    }

    private static func byReason(_ letters: [RedrivenLetter]) -> [(String, [RedrivenLetter])] {
        Dictionary(grouping: letters) { letter in
            letter.copy.verdict.map { $0.reason ?? $0.outcome.rawValue } ?? ""
        }
        .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }
}
