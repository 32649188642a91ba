/// Criteria that select dead letters; an empty or absent criterion matches all.
struct DeadLetterCriteria: Sendable {
    /// Reason codes, or their prefixes up to a dot.
    var reasons: [String] = []
    var stage: String?
    var story: String?
    var event: String?

    /// Returns whether a dead letter matches all criteria.
    ///
    /// - Parameter letter: The dead letter.
    /// - Returns: Whether all criteria match.
    func accepts(_ letter: DeadLetterEntry) -> Bool {
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
    func names(_ letter: DeadLetterEntry) -> Bool {
        event != nil || reasons.contains(letter.reason)
    }
}
