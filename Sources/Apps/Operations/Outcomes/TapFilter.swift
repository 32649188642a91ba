package import NewsflashCommandLineArguments
package import NewsflashEvents
package import NewsflashPublishing
import NewsflashTopicPartitions
package import NewsflashWorker

/// The conditions of `newsflash tap`. Outcomes that meet all of them are shown.
package struct TapFilter: Sendable, Equatable {
    package var kind: EventKind?
    /// An outcome such as `failed`, or the beginning of a reason such as `suppressed.killed`.
    package var outcome: String?
    package var source: Source?
    /// A category of the event, or a tag that it was sent to.
    package var category: String?

    package init(kind: EventKind? = nil, outcome: String? = nil, source: Source? = nil, category: String? = nil) {
        self.kind = kind
        self.outcome = outcome
        self.source = source
        self.category = category
    }

    /// A source, as a person names it.
    package enum Source: Sendable, Equatable {
        /// The topic of a configured source.
        case topic(String)
        /// The URI of a source in events.
        case uri(String)

        /// - Parameters:
        ///   - text: A name of the configuration, or a URI.
        ///   - sources: The configured sources.
        package init(_ text: String, among sources: [SourceSettings]) {
            self = sources.first { $0.name == text }.map { .topic($0.topic) } ?? .uri(text)
        }
    }

    /// Checks that a text begins with an outcome kind.
    package static func checkOutcome(_ text: String) throws(ValidationError) {
        let kind = text.prefix { $0 != "." }
        guard OutcomeKind(rawValue: String(kind)) == nil else { return }
        let kinds = OutcomeKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'--outcome' begins with one of \(kinds); a reason such as failed.refused may follow.")
    }

    /// Whether an outcome is shown.
    package func matches(_ record: OutcomeRecord) -> Bool {
        if let kind, record.kind != kind.rawValue { return false }
        if let outcome {
            let reason = record.verdict.reason ?? ""
            guard record.verdict.outcome.rawValue == outcome || reason.hasPrefix(outcome) else { return false }
        }
        switch source {
        case .topic(let topic): if record.origin.partition.topic != topic { return false }
        case .uri(let uri): if record.source != uri { return false }
        case nil: break
        }
        guard let category = category?.lowercased() else { return true }
        return record.categories.contains { $0.lowercased() == category }
            || record.targets.contains { target in
                target.request.tags.split { " ()!&|".contains($0) }.contains { $0.lowercased() == category }
            }
    }
}
