/// Whether readers heard the revisions of each story in their order.
///
/// A crash makes the next owner tell a story again from the committed offset. That begins a new telling of the story: each
/// telling is held to the order by itself, and ``Doubles`` holds the repetition to its bounds.
struct OrderedPerStory: CustomStringConvertible {
    /// An older revision after a newer one in the same telling.
    struct Fault: Equatable {
        var late: Acceptance
        var after: Int64
    }

    let faults: [Fault]
    /// How many events were accepted for the first time after a newer revision had been, in an earlier telling: what a
    /// killed worker had passed over as overtaken, and its successor sent because it could not know.
    let resurfaced: Int

    /// Looks at what the hub accepted.
    ///
    /// - Parameters:
    ///   - acceptances: In the order of the hub.
    ///   - telling: Which telling of its story an acceptance belongs to.
    init(_ acceptances: [Acceptance], telling: (Acceptance) -> Int = { _ in 0 }) {
        struct Telling: Hashable {
            var story: String
            var number: Int
        }
        var highest: [Telling: Int64] = [:]
        var highestEver: [String: Int64] = [:]
        var seen: Set<String> = []
        var faults: [Fault] = []
        var resurfaced = 0
        for acceptance in acceptances {
            let key = Telling(story: acceptance.story, number: telling(acceptance))
            if let before = highest[key], acceptance.revision < before {
                faults.append(Fault(late: acceptance, after: before))
            } else if seen.insert(acceptance.event).inserted,
                acceptance.revision < highestEver[acceptance.story] ?? 0
            {
                resurfaced += 1
            }
            highest[key] = max(highest[key] ?? 0, acceptance.revision)
            highestEver[acceptance.story] = max(highestEver[acceptance.story] ?? 0, acceptance.revision)
        }
        self.faults = faults
        self.resurfaced = resurfaced
    }

    var isMet: Bool { faults.isEmpty }

    var description: String {
        guard !isMet else { return "in order" }
        let shown = faults.prefix(5).map { "\($0.late.event) by \($0.late.worker) after revision \($0.after)" }
        return "\(faults.count) out of order: \(shown.joined(separator: ", "))"
    }
}
