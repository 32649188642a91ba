import HubEmulator

/// What the hub accepts of a story only moves ahead.
struct OrderedPerStory {
    /// Whether a revision may be accepted again, as after an answer that was cut off.
    var allowsRepeats = false

    /// Where a story went back.
    func violations(in sends: [SendRecord]) -> [String] {
        var latest: [String: Int64] = [:]
        var violations: [String] = []
        for send in sends {
            guard let story = send.property("story"), let revision = send.property("revision").flatMap({ Int64($0) })
            else {
                violations.append("send \(send.sequence) names no story")
                continue
            }
            let before = latest[story] ?? 0
            if revision < before || (revision == before && !allowsRepeats) {
                violations.append("\(story): \(revision) after \(before)")
            }
            latest[story] = revision
        }
        return violations
    }
}
