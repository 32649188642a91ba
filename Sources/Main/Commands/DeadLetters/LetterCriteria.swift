/// Which dead letters are meant; an empty or absent part leaves all.
struct LetterCriteria: Sendable {
    /// Codes, or their beginnings up to a dot.
    var reasons: [String] = []
    var stage: String?
    var story: String?
    var event: String?

    /// Whether a letter is meant.
    ///
    /// - Parameter letter: Any.
    /// - Returns: True where each part that there is agrees.
    func accepts(_ letter: Letter) -> Bool {
        if !reasons.isEmpty, !reasons.contains(where: { letter.reason == $0 || letter.reason.hasPrefix($0 + ".") }) {
            return false
        }
        if let stage, letter.stage != stage { return false }
        if let story, letter.story != story { return false }
        if let event, letter.event != event { return false }
        return true
    }

    /// Whether a letter is named so closely that somebody has surely looked at it.
    ///
    /// - Parameter letter: One that is meant.
    /// - Returns: True where its whole reason or its event is named.
    func names(_ letter: Letter) -> Bool {
        event != nil || reasons.contains(letter.reason)
    }
}
