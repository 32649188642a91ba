import NewsflashOperations

extension CheckFact {
    /// The fact for people: status, place and finding. A long finding continues under its beginning.
    func lines(_ style: ScreenStyle) -> [String] {
        let place = subject.isEmpty ? area.rawValue : "\(area.rawValue) \(subjects.joined(separator: ", "))"
        var table = TextTable([.init(minimum: 7), .init("", .wrapped)])
        table.append([TextTable.Cell(status.word, status.tone), TextTable.Cell("\(place): \(message)")])
        return table.lines(style)
    }
}

extension CheckFact.Status {
    /// The colour of the word.
    fileprivate var tone: ScreenStyle.Tone? {
        switch self {
        case .ok: nil
        case .advice: .caution
        case .problem: .bad
        }
    }
}
