package import NewsflashPublishing
import NewsflashTimestamps
package import NewsflashWorker

extension ControlRecord {
    /// The order for people.
    ///
    /// - Parameter sources: The configured sources, whose names are printed instead of their topics.
    /// - Returns: One line.
    package func line(_ sources: [SourceSettings] = []) -> String {
        let author =
            switch author {
            case .person(let name): "by \(name)"
            case .volumeLimit: "by a volume limit"
            }
        let why = reason.isEmpty ? "" : ": \(reason)"
        let verb = act == .pause ? "paused since" : "resumed at"
        return "\(scope.name(sources)): \(verb) \(at.rfc3339) \(author)\(why)"
    }
}

extension PauseScope {
    /// The scope for people.
    ///
    /// - Parameter sources: The configured sources, whose names are printed instead of their topics.
    /// - Returns: One line.
    package func name(_ sources: [SourceSettings]) -> String {
        let source = sources.first { $0.topic == topic }
        return source.map { "\($0.name) (all of topic \($0.topic))" } ?? description
    }
}
