import Kafka
import NewsEvents
import Publishing
import Signing
import Timestamps

/// What a replay is about to write, and for whom.
struct ReplayPlan: Sendable {
    /// Names the replay in its records.
    var id: String
    var reason: String
    /// The one tag; `nil` for readers.
    var onlyTag: String?
    /// Whether what was told already is told again.
    var isAgain: Bool
    /// When the order was given.
    var at: Timestamp
    var topic: String
    /// What is to be written, in the order of reading.
    private(set) var entries: [ReplayFinding] = []
    /// Acts that differ of which nothing would be sent now.
    private(set) var untold = 0
    /// Records that an earlier run with this id has written.
    private(set) var written = 0

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - findings: In the order of reading.
    ///   - takesAll: Whether also what does not differ is written.
    mutating func take(_ findings: [ReplayFinding], takesAll: Bool) {
        for finding in findings where takesAll || finding.difference != nil {
            if finding.wouldBeSent { entries.append(finding) } else { untold += 1 }
        }
    }

    /// Leaves out what lies in the topic already.
    ///
    /// - Parameter places: Where the originals of the copies lie, such as `3@48120`.
    mutating func leaveOut(_ places: Set<String>) {
        let left = entries.filter { !places.contains($0.record.place) }
        written = entries.count - left.count
        entries = left
    }

    /// Which of it is too old to be told to readers.
    var expired: Int {
        guard onlyTag == nil, !isAgain else { return 0 }
        return entries.count { $0.forecast.presently?.outcome == .expired }
    }

    /// The records, in order.
    func records(_ part: ArraySlice<ReplayFinding>) -> [KafkaRecord] {
        part.map { finding in
            let record = finding.record
            let mark = ReplayMark(
                id: id,
                partition: record.partition,
                offset: record.offset,
                onlyTag: onlyTag,
                isAgain: isAgain,
                at: at
            )
            let headers = ReplayEnvelope.headers(
                around: record.value,
                record.headers,
                mark,
                story: record.event.story,
                isSecure: finding.isSecure,
                reason: reason
            )
            // To the partition of the original, in whose ledger the story is known.
            return KafkaRecord(
                topic: topic,
                partition: record.partition,
                key: record.key,
                value: nil,
                headers: headers.map { KafkaHeader(name: $0.name, value: $0.value) }
            )
        }
    }

    /// An id that the same command has each time it is given.
    ///
    /// - Parameter words: What makes it this command.
    /// - Returns: 12 hexadecimal digits.
    static func id(of words: [String]) -> String {
        let digits = Array("0123456789abcdef")
        let digest = SHA256Digest.hash(of: Array(words.joined(separator: "\n").utf8))
        return String((0..<12).map { digits[Int(digest[$0 / 2] >> ($0.isMultiple(of: 2) ? 4 : 0) & 15)] })
    }

    /// What is about to happen, for people.
    ///
    /// - Parameters:
    ///   - rate: Records a second.
    ///   - most: How many at most.
    /// - Returns: A line each.
    func lines(rate: Int, most: Int?) -> [String] {
        let count = min(entries.count, most ?? .max)
        let audience =
            if let onlyTag {
                "devices with the tag \(onlyTag) alone, at every hub; no reader is told"
            } else if isAgain {
                "all readers of the story, also those who were told before"
            } else {
                "readers who were not told; what was told is a duplicate and is not told again"
            }
        var lines = [
            "replay \(id): \(counted(count, "record")) to \(topic), \(rate) a second, about \(max(1, count / rate)) s",
            "  for \(audience)", "  because: \(reason)",
        ]
        if count < entries.count { lines.append("  \(entries.count - count) more after these: --most \(count)") }
        if written > 0 { lines.append("  \(written) were written by an earlier run with this id: left out") }
        if untold > 0 { lines.append("  \(untold) would be told to nobody now: left out") }
        if expired > 0 { lines.append("  \(expired) are too old for readers and will end as expired") }
        lines.append("  workers older than this version pass over these records: they have no value")
        return lines
    }
}
