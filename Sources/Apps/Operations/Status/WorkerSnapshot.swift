import NewsflashPublishing
import NewsflashStrictJSON
package import NewsflashTimestamps
package import NewsflashWorker

/// The result of querying one worker.
package struct WorkerSnapshot: Sendable {
    /// The host and port of its admin server.
    package var address: String
    package var answer: Result<WorkerFacts, NoAnswerError>

    /// Whether it answers, is ready, and no source is paused.
    package var isWell: Bool {
        if case .success(let facts) = answer { facts.isReady && facts.status.sourcePauses.isEmpty } else { false }
    }

    package var isSilent: Bool {
        if case .failure = answer { true } else { false }
    }

    /// The result as a JSON object: the health and status of the worker unchanged, or the error.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("admin", address)
            switch answer {
            case .success(let facts):
                writer.member("ready", facts.isReady)
                writer.member("reasons", facts.reasons)
                writer.member("status", facts.status.json)
            case .failure(let silence):
                writer.member("error", silence.why)
            }
        }
    }
}

/// The facts from `/readyz` and `/status` of a worker.
package struct WorkerFacts: Sendable {
    var isReady: Bool
    package var reasons: [String]
    package var status: StatusDocument
    /// The number of events that have ended since its start; `nil` if it was not queried.
    package var ends: Double?

    /// Reads the facts.
    ///
    /// - Parameters:
    ///   - health: The JSON of `/readyz`.
    ///   - status: The JSON of `/status`.
    ///   - ends: The number of events that have ended.
    init(health: JSONValue, status: JSONValue, ends: Double?) {
        isReady = health[member: "ready"]?.bool ?? false
        reasons = health[member: "reasons"]?.array?.compactMap(\.string) ?? []
        self.status = StatusDocument(status)
        self.ends = ends
    }

    /// The number of records in all partitions that are not processed.
    var lagRecords: Int64 { status.partitions.reduce(0) { $0 &+ $1.records } }

    /// The lag of the partition with the highest lag.
    var lagSeconds: Double { status.partitions.map(\.seconds).max() ?? 0 }

    /// `ready`, `sources paused`, or the code of the first reason why it is not ready, such as `held.unauthorized`.
    package var state: String {
        guard !isReady else { return status.sourcePauses.isEmpty ? "ready" : "sources paused" }
        return reasons.first.map { String($0.prefix { $0 != ":" }) } ?? "not ready"
    }

    /// The sum of the counters of final outcomes in the metrics.
    package static func ends(in metrics: [UInt8]) -> Double {
        String(decoding: metrics, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("newsflash_outcomes_total{") }
            .compactMap { line in line.split(separator: " ").last.flatMap { Double($0) } }
            .reduce(0, +)
    }
}

extension WorkerSnapshot {
    /// The state for people: one line with the verdict, and the facts below it.
    ///
    /// - Parameters:
    ///   - style: The screen.
    ///   - now: The current time, for durations.
    /// - Returns: The lines without line ends.
    package func lines(_ style: ScreenStyle, now: Timestamp) -> [String] {
        switch answer {
        case .failure(let silence):
            return "\(address): no answer: \(silence.why)".lines(style)
        case .success(let facts):
            var table = TextTable([.init(minimum: 10), .init("", .wrapped)], indent: 2, gap: 1)
            for (label, text) in facts.rows(now: now) {
                table.append([TextTable.Cell(label, Self.bad.contains(label) ? .bad : nil), TextTable.Cell(text)])
            }
            return heading(facts, now: now).lines(style) + table.lines(style)
        }
    }

    /// The labels of lines that need a person.
    private static let bad: Set = ["not ready", "paused", "lost"]

    private func heading(_ facts: WorkerFacts, now: Timestamp) -> String {
        let verdict = facts.isReady ? "ready" : "NOT READY"
        let status = facts.status
        let instance = status.instance.map { " as \($0)" } ?? ""
        let start = status.startedAt.map { ", up for \((now - $0).inWords)" } ?? ""
        let version = status.version ?? "of unknown version"
        return "\(address): \(verdict); newsflash \(version) in the group \(status.group ?? "?")\(instance)\(start)"
    }
}

extension WorkerFacts {
    /// The facts for people, each with its label.
    fileprivate func rows(now: Timestamp) -> [(label: String, text: String)] {
        var rows = reasons.map { ("not ready", $0) }
        rows += status.sourcePauses.map { ("paused", $0.words) }
        rows += status.losses.map { ("lost", $0.words) }
        rows += status.notes.map { ("note", $0) }
        if let rules = status.rules { rows.append(("rules", rules.words)) }
        rows.append(("partitions", partitionsInWords))
        rows.append(("lag", Self.words(lagRecords, age: lagSeconds.asDuration)))
        for partition in status.partitions where status.partitions.count > 1 && partition.records > 0 {
            rows.append(("", "\(partition.name): \(Self.words(partition.records, age: partition.seconds.asDuration))"))
        }
        let states = StatusDocument.states.filter { status.events($0) > 0 }.map { "\(status.events($0)) \($0)" }
        let events = states.isEmpty ? "none in progress" : states.joined(separator: ", ")
        let oldest = status.oldestConsumedAt.map { "; the oldest was read \((now - $0).inWords) ago" } ?? ""
        rows.append(("events", events + oldest))
        let lanes = StatusDocument.lanes.compactMap { name in
            let lane = status.lane(name)
            guard lane.waiting > 0 || lane.inFlight > 0 else { return String?.none }
            return "\(name) \(lane.waiting) waiting, \(lane.inFlight) in flight"
        }
        if !lanes.isEmpty { rows.append(("lanes", lanes.joined(separator: "; "))) }
        rows += status.hubs.map { ("hub", $0.words) }
        let writes = status.unconfirmed
        if writes > 0 { rows.append(("kafka", "\(counted(Int(clamping: writes), "write")) not confirmed yet")) }
        return rows
    }

    /// The partitions with their phases, such as `news[0, 1, 4], news[2] (restoring)`.
    private var partitionsInWords: String {
        guard !status.partitions.isEmpty else { return "none" }
        var numbers: [(topic: Substring, numbers: [Substring])] = []
        var others: [String] = []
        for partition in status.partitions {
            let name = partition.name
            guard partition.phase == "working", let bracket = name.lastIndex(of: "[") else {
                others.append("\(name) (\(partition.phase))")
                continue
            }
            let (topic, number) = (name[..<bracket], name[name.index(after: bracket)...].dropLast())
            if numbers.last?.topic == topic {
                numbers[numbers.count - 1].numbers.append(number)
            } else {
                numbers.append((topic, [number]))
            }
        }
        let working = numbers.map { "\($0.topic)[\($0.numbers.joined(separator: ", "))]" }
        return (working + others).joined(separator: ", ")
    }

    /// The lag in words.
    ///
    /// - Parameters:
    ///   - records: The number of records that are not processed.
    ///   - age: The age of the oldest; `nil` if it is unknown.
    /// - Returns: A sentence without a full stop.
    package static func words(_ records: Int64, age: Duration?) -> String {
        guard records > 0 else { return "none: every record is processed, or waits in the ledger" }
        let oldest = age.map { "the oldest written \($0.inWords) ago" } ?? "the age of the oldest is unknown"
        return "\(counted(Int(clamping: records), "record")), \(oldest)"
    }
}

extension StatusDocument.Pause {
    fileprivate var words: String {
        "\(source ?? topic.map { "topic \($0)" } ?? "all sources") since \(since), by \(by): \(reason)"
    }
}

extension StatusDocument.Loss {
    fileprivate var words: String {
        let count = counted(Int(clamping: records), "record")
        return "\(count) of \(partition) from \(from) to \(to), seen at \(at) (\(reason))"
    }
}

extension StatusDocument.Rules {
    /// The rules in force. A reload that was rejected is in the notes.
    fileprivate var words: String {
        let reload = lastReload.flatMap { $0.isInForce ? "; reloaded at \($0.at) by \($0.by): \($0.detail)" : nil }
        return "in force since \(since), digest \(digest)\(reload ?? "")"
    }
}

extension StatusDocument.Hub {
    fileprivate var words: String {
        var parts = ["\(inFlight) of at most \(concurrencyLimit) in flight"]
        if let rateLimit { parts.append("at most \(rateLimit.inShort) a second") }
        if let pausedUntil { parts.append("paused until \(pausedUntil)") }
        if let openCircuit { parts.append("CIRCUIT OPEN: \(openCircuit)") }
        switch limit.flatMap(SendingLimit.init) {
        case .throttling where pausedUntil == nil: parts.append("what waits is limited by its throttling")
        case .concurrency: parts.append("what waits is limited by its concurrency")
        case .rate: parts.append("what waits is limited by its rate")
        case .retries: parts.append("what waits is limited by the budget for retries")
        case .unconfirmed: parts.append("what waits is limited by records that the ledger has not confirmed")
        case .idle, .circuit, .throttling, nil: break
        }
        return "\(name): " + parts.joined(separator: ", ")
    }
}

extension Double {
    /// The number with one decimal below ten and none above; infinite and huge numbers as they are.
    var inShort: String {
        guard abs(self) >= 10 else { return ((self * 10).rounded() / 10).description }
        return Int64(exactly: rounded())?.description ?? description
    }

    /// This number of seconds, from zero to 1e9; zero if it is not finite.
    var asDuration: Duration { isFinite ? .seconds(Swift.min(Swift.max(self, 0), 1e9)) : .zero }
}

extension Duration {
    /// The duration for people, such as `4.2 s`, `27 min`, `3 h 5 min` or `12 d 3 h`.
    var inWords: String {
        let seconds = max(0, components.seconds)
        let tenths = components.attoseconds / 100_000_000_000_000_000
        switch seconds {
        case ..<10: return "\(seconds).\(max(0, tenths)) s"
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
        }
    }
}
