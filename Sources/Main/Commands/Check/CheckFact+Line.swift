import Operations

extension CheckFact {
    /// Returns the fact as one line of text.
    ///
    /// - Returns: The line, without a line feed.
    func line(_ style: TerminalStyle) -> String {
        let padding = String(repeating: " ", count: max(1, 9 - status.word.count))
        let place = subject.isEmpty ? area.rawValue : "\(area.rawValue) \(subjects.joined(separator: ", "))"
        return style.status(status.word, status.tone) + padding + place + ": " + message
    }
}

extension CheckFact.Status {
    /// The colour of the word.
    var tone: TerminalStyle.Tone {
        switch self {
        case .ok: .good
        case .advice: .caution
        case .problem: .bad
        }
    }
}
