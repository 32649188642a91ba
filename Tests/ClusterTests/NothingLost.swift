/// Whether each produced event came to an end that may be shown: accepted, a dead letter, or overtaken.
struct NothingLost: CustomStringConvertible {
    /// Those of which nothing is to be found.
    let missing: [String]

    /// Compares what went in with what came out.
    ///
    /// - Parameters:
    ///   - produced: All events.
    ///   - accepted: Those the hub accepted.
    ///   - deadLetters: Those in the dead letters.
    ///   - overtaken: Those whose outcome says that a newer revision took their place, or that they say nothing new.
    init(produced: [String], accepted: Set<String>, deadLetters: Set<String>, overtaken: Set<String>) {
        missing = produced.filter { !accepted.contains($0) && !deadLetters.contains($0) && !overtaken.contains($0) }
    }

    var isMet: Bool { missing.isEmpty }

    var description: String {
        isMet ? "nothing lost" : "\(missing.count) lost: \(missing.prefix(10).joined(separator: ", "))"
    }
}
