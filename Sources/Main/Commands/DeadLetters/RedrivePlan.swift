import Publishing
import Timestamps

/// Which dead letters a redrive sends again, in which order, and why it leaves others out.
struct RedrivePlan: Sendable {
    /// Those that are sent: of each source partition in the order of the originals, so that stories stay in order.
    private(set) var chosen: [Letter] = []
    /// Open ones beyond what may be sent at once.
    private(set) var beyondCap = 0
    private(set) var quarantined = 0
    private(set) var redriven = 0
    private(set) var told = 0
    /// Those whose originals are not whole in the topic of dead letters.
    private(set) var cut: [Letter] = []
    /// Those whose requests may have reached readers, and nobody knows.
    private(set) var uncertain = 0
    /// Copies of an earlier run of which the worker has said nothing final.
    private(set) var underWay: [JudgedLetter] = []

    /// Why an event failed whose requests may have been accepted all the same.
    static let uncertainReason = "failed.unknown"

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - letters: Those that are meant.
    ///   - criteria: How they were named.
    ///   - most: How many are sent at once.
    ///   - takesQuarantined: Whether quarantined ones are sent too.
    init(_ letters: [JudgedLetter], _ criteria: LetterCriteria, most: Int, takesQuarantined: Bool) {
        var open: [Letter] = []
        for judged in letters {
            let letter = judged.letter
            switch judged.state {
            case .redriven(let copy):
                redriven += 1
                if copy.verdict == nil { underWay.append(judged) }
            case .told: told += 1
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
        // The oldest come first where not all may go.
        beyondCap = max(0, open.count - most)
        chosen = open.prefix(most).sorted { left, right in
            let (first, second) = (left.origin, right.origin)
            return (first.partition.topic, first.partition.number, first.offset, left.place)
                < (second.partition.topic, second.partition.number, second.offset, right.place)
        }
    }

    /// The plan for people.
    ///
    /// - Parameters:
    ///   - forecasts: What each letter would become now, by its place; empty where that is not known.
    ///   - rate: How many are written a second.
    /// - Returns: Lines.
    func lines(forecasts: [LetterPlace: String], rate: Int) -> [String] {
        var lines: [String] = []
        if chosen.isEmpty {
            lines.append("nothing is to be sent again")
        } else {
            let seconds = (chosen.count + rate - 1) / rate
            lines.append(
                "\(counted(chosen.count, "dead letter")) to send again, at \(rate) a second, about \(seconds) s:"
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

    /// What is left out, and why.
    private var omissions: [String] {
        var lines: [String] = []
        if beyondCap > 0 { lines.append("left for later: \(beyondCap), the newest: raise --most, or run this again") }
        if quarantined > 0 {
            lines.append(
                "left out: \(quarantined) quarantined, sent again too often in vain; --quarantined takes them too"
            )
        }
        if uncertain > 0 {
            lines.append(
                "left out: \(uncertain) for \(Self.uncertainReason), which may have reached readers: name them with "
                    + "--reason \(Self.uncertainReason) once that is clear"
            )
        }
        for letter in cut {
            lines.append(
                "left out: \(letter.place) is not whole here; its original stood at \(letter.origin.partition) offset "
                    + "\(letter.origin.offset)"
            )
        }
        if redriven > 0 { lines.append("done before: \(redriven), of which copies lie in their source topics") }
        if told > 0 { lines.append("done otherwise: \(told), whose events were told since") }
        return lines
    }

    private static func outlook(_ letters: [Letter], _ forecasts: [LetterPlace: String]) -> [String] {
        guard !forecasts.isEmpty else { return [] }
        let counts = Dictionary(grouping: letters.compactMap { forecasts[$0.place] }) { $0 }.mapValues(\.count)
        let texts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return ["by this configuration they would become: \(texts.joined(separator: ", "))"]
    }

    private static func byReason(_ letters: [Letter]) -> [(String, [Letter])] {
        Dictionary(grouping: letters, by: \.reason).sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }
}
