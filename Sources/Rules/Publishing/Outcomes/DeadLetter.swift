import NewsflashTimestamps
import NewsflashTopicPartitions

/// The headers that are added to an original in the dead letters.
///
/// All are text, with numbers in decimal, so that a person can read them with any tool. The value, key and headers of the
/// original are unchanged, byte for byte.
package struct DeadLetter: Sendable, Equatable {
    /// The stage at which the event ended.
    package enum Stage: String, Sendable {
        case decode
        case gate
        case map
        case render
        case send
    }

    package var outcome: OutcomeRecord
    package var stage: Stage

    package init(_ outcome: OutcomeRecord, stage: Stage) {
        self.outcome = outcome
        self.stage = stage
    }

    /// The prefix of all our headers; a redrive removes them.
    package static let headerPrefix = "newsflash-dlq-"

    /// The headers, in a fixed order.
    ///
    /// - Parameters:
    ///   - group: The consumer group.
    ///   - worker: The version and host of the worker.
    ///   - redrives: How often the record was redriven before.
    /// - Returns: Names with the prefix, and values; absent values are left out.
    package func headers(group: String, worker: String, redrives: Int = 0) -> [(name: String, value: String)] {
        let target = outcome.targets.first { $0.report.status == .rejected } ?? outcome.targets.first
        let request = target?.request
        let origin = outcome.origin
        let all: [(String, String?)] = [
            ("v", "1"),
            ("reason", outcome.verdict.reason ?? outcome.verdict.outcome.rawValue),
            ("detail", outcome.verdict.detail?.prefixOfUTF8(1024)),
            ("stage", stage.rawValue),
            ("topic", origin.partition.topic),
            ("partition", String(origin.partition.partition)),
            ("offset", String(origin.offset)),
            ("timestamp", origin.timestamp?.rfc3339),
            ("at", outcome.at.rfc3339),
            ("group", group),
            ("event", outcome.event.isEmpty ? nil : outcome.event),
            ("story", outcome.story.isEmpty ? nil : outcome.story),
            ("revision", outcome.revision > 0 ? String(outcome.revision) : nil),
            ("attempts", String(outcome.targets.reduce(0) { $0 + $1.report.attempts })),
            ("http", target?.report.httpStatus.map { String($0) }),
            ("target", request.map { "\($0.hub), \($0.platform), \($0.tags)" }),
            ("config", outcome.config),
            ("worker", worker),
            ("redrives", String(redrives)),
        ]
        return all.compactMap { name, value in value.map { (Self.headerPrefix + name, $0) } }
    }
}
