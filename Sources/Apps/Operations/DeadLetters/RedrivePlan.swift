import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The dead letters that a redrive sends again, their order, and the reasons for leaving others out.
package struct RedrivePlan: Sendable {
    /// The dead letters to send, in the order of the originals per source partition, so that stories stay in order.
    package private(set) var chosen: [DeadLetterEntry] = []
    /// The open dead letters beyond the maximum, oldest first.
    private var later: [DeadLetterEntry] = []
    /// The forecasts of dead letters that are left out because they would fail again.
    package private(set) var failing: [String] = []
    package private(set) var quarantined = 0
    package private(set) var redriven = 0
    private(set) var sentSince = 0
    /// Dead letters whose originals are incomplete.
    package private(set) var cut: [DeadLetterEntry] = []
    /// The number of dead letters whose requests may have reached subscribers.
    private(set) var uncertain = 0
    /// Copies of an earlier run without a final verdict.
    package private(set) var underWay: [AssessedDeadLetter] = []

    /// The reason of events whose requests may have been accepted although they failed.
    static let uncertainReason = "failed.unknown"

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - letters: The dead letters that match.
    ///   - criteria: The criteria that they match.
    ///   - most: The maximum number to send.
    ///   - takesQuarantined: Whether quarantined ones are included.
    package init(_ letters: [AssessedDeadLetter], _ criteria: DeadLetterCriteria, most: Int, takesQuarantined: Bool) {
        var open: [DeadLetterEntry] = []
        for judged in letters {
            let letter = judged.letter
            switch judged.state {
            case .redriven(let copy):
                redriven += 1
                if copy.verdict == nil { underWay.append(judged) }
            case .sentSince: sentSince += 1
            case .quarantined where !takesQuarantined: quarantined += 1
            case .open, .quarantined:
                if letter.isCut {
                    cut.append(letter)
                } else if letter.reason == Self.uncertainReason, !criteria.names(letter) {
                    uncertain += 1
                } else {
                    open.append(letter)
                }
            }
        }
        // The oldest ones have priority if there are too many.
        later = Array(open.dropFirst(most))
        chosen = Self.inOrderOfOriginals(open.prefix(most))
    }

    /// The number of open dead letters beyond the maximum.
    var beyondCap: Int { later.count }

    /// Removes dead letters that would fail again, and chooses as many later ones instead.
    ///
    /// - Parameter forecasts: The reasons of chosen dead letters that would fail again.
    /// - Returns: The dead letters that were chosen instead, which may fail, too.
    mutating func leaveOut(_ forecasts: [DeadLetterPosition: String]) -> [DeadLetterEntry] {
        failing += forecasts.values
        let next = later.prefix(forecasts.count)
        later.removeFirst(next.count)
        chosen = Self.inOrderOfOriginals(chosen.filter { forecasts[$0.place] == nil } + next)
        return Array(next)
    }

    private static func inOrderOfOriginals(_ letters: some Sequence<DeadLetterEntry>) -> [DeadLetterEntry] {
        letters.sorted { left, right in
            let (first, second) = (left.origin, right.origin)
            return (first.partition, first.offset, left.place)
                < (second.partition, second.offset, right.place)
        }
    }

    /// Returns the plan as text.
    ///
    /// - Parameters:
    ///   - forecasts: What each dead letter would become now, by its position; empty if unknown.
    ///   - rate: Records written per second.
    /// - Returns: The lines.
    package func lines(forecasts: [DeadLetterPosition: String], rate: Int) -> [String] {
        var lines: [String] = []
        if chosen.isEmpty {
            lines.append("nothing to send again")
        } else {
            let seconds = (chosen.count + rate - 1) / rate
            lines.append(
                "\(counted(chosen.count, "dead letter")) to send again, at \(rate) per second, about \(seconds) s:"
            )
            for (reason, letters) in Self.byReason(chosen) {
                let topics = Set(letters.map(\.origin.partition.topic)).sorted().joined(separator: ", ")
                let oldest = letters.map(\.at).min().map { ", the oldest of \($0.rfc3339)" } ?? ""
                lines.append("  \(letters.count)  \(reason)\(oldest), to \(topics)")
                lines += Self.outlook(letters, forecasts).map { "      \($0)" }
            }
        }
        return lines + omissions
    }

    /// The dead letters that are left out, and why.
    private var omissions: [String] {
        var lines: [String] = []
        if beyondCap > 0 { lines.append("left for later: the newest \(beyondCap); increase --most, or run this again") }
        if !failing.isEmpty {
            lines.append(
                "left out: \(failing.count) would fail again with this configuration (\(Self.counts(failing))); correct the "
                    + "cause first, or write them with --failing"
            )
        }
        if quarantined > 0 {
            lines.append(
                "left out: \(quarantined) quarantined after too many redrives; --quarantined includes them"
            )
        }
        if uncertain > 0 {
            lines.append(
                "left out: \(uncertain) for \(Self.uncertainReason), which may have reached subscribers: after checking, use "
                    + "--outcome \(Self.uncertainReason)"
            )
        }
        for letter in cut {
            lines.append(
                "left out: \(letter.place) is incomplete here; its original was at \(letter.origin.partition) offset "
                    + "\(letter.origin.offset)"
            )
        }
        if redriven > 0 { lines.append("done before: \(redriven) with copies in their source topics") }
        if sentSince > 0 { lines.append("done otherwise: \(sentSince) whose events were sent since") }
        return lines
    }

    private static func outlook(_ letters: [DeadLetterEntry], _ forecasts: [DeadLetterPosition: String]) -> [String] {
        guard !forecasts.isEmpty else { return [] }
        let counts = counts(letters.compactMap { forecasts[$0.place] })
        return ["with this configuration they would become: \(counts)"]
    }

    /// The number of each word, such as `2 invalid.unmapped, 1 invalid.json`, the most frequent first.
    private static func counts(_ words: [String]) -> String {
        let counts = Dictionary(grouping: words) { $0 }.mapValues(\.count)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }

    private static func byReason(_ letters: [DeadLetterEntry]) -> [(String, [DeadLetterEntry])] {
        Dictionary(grouping: letters, by: \.reason).sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }
}
