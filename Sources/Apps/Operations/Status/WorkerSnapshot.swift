package import StrictJSON
package import Timestamps

/// The result of querying one worker.
package struct WorkerSnapshot: Sendable {
    /// The host and port of its admin server.
    package var address: String
    package var answer: Result<WorkerFacts, NoAnswerError>

    /// Whether it answers, is ready, and no source is paused.
    package var isWell: Bool {
        if case .success(let facts) = answer { facts.isReady && facts.sourceHolds.isEmpty } else { false }
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
                writer.member("status", facts.status)
            case .failure(let silence):
                writer.member("error", silence.why)
            }
        }
    }
}

/// The facts from `/readyz` and `/status` of a worker. Members may be missing if its version is another.
package struct WorkerFacts: Sendable {
    package var health: JSONValue
    package var status: JSONValue
    /// The number of events that have ended since its start; `nil` if it was not queried.
    package var ends: Double?

    package var isReady: Bool { health[member: "ready"]?.bool ?? false }
    package var reasons: [String] { strings(health[member: "reasons"]) }
    package var notes: [String] { strings(status[member: "notes"]) }
    package var partitions: [JSONValue] { status[member: "partitions"]?.array ?? [] }
    package var hubs: [JSONValue] { status[member: "hubs"]?.array ?? [] }
    var sourceHolds: [JSONValue] { status[member: "sourceHolds"]?.array ?? [] }
    package var losses: [JSONValue] { status[member: "losses"]?.array ?? [] }
    package var version: String { text("worker", "version") ?? "of unknown version" }
    package var group: String { text("worker", "group") ?? "?" }
    var startedAt: String? { text("worker", "startedAt") }

    /// The number of records in all partitions that are not processed.
    package var lagRecords: Int64 {
        partitions.reduce(0) { $0 &+ max(0, $1[member: "lag"]?[member: "records"]?.int64 ?? 0) }
    }

    /// The lag of the partition with the highest lag.
    package var lagSeconds: Double {
        partitions.compactMap { $0[member: "lag"]?[member: "seconds"]?.number?.double }.max() ?? 0
    }

    package func count(_ path: String...) -> Int64 { value(path)?.int64 ?? 0 }

    package func text(_ path: String...) -> String? { value(path)?.string }

    /// `ready`, `sources paused`, or the code of the first reason why it is not ready, such as `held.unauthorized`.
    package var state: String {
        guard !isReady else { return sourceHolds.isEmpty ? "ready" : "sources paused" }
        return reasons.first.map { String($0.prefix { $0 != ":" }) } ?? "not ready"
    }

    /// The sum of the counters of final outcomes in the metrics.
    package static func ends(in metrics: [UInt8]) -> Double {
        String(decoding: metrics, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("newsflash_outcomes_total{") }
            .compactMap { line in line.split(separator: " ").last.flatMap { Double($0) } }
            .reduce(0, +)
    }

    private func value(_ path: [String]) -> JSONValue? {
        path.reduce(status) { $0?[member: $1] }
    }

    private func strings(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }
}

extension WorkerSnapshot {
    /// The state for people: one line with the verdict, and the facts below it.
    ///
    /// - Parameter now: The current time, for durations.
    /// - Returns: The lines without line ends.
    package func lines(now: Timestamp) -> [String] {
        switch answer {
        case .failure(let silence): ["\(address): no answer: \(silence.why)"]
        case .success(let facts): [heading(facts, now: now)] + facts.lines(now: now).map { "  " + $0 }
        }
    }

    private func heading(_ facts: WorkerFacts, now: Timestamp) -> String {
        let verdict = facts.isReady ? "ready" : "NOT READY"
        let instance = facts.text("worker", "instance").map { " as \($0)" } ?? ""
        let start = facts.startedAt.flatMap { Timestamp(rfc3339: $0) }.map { ", up for \((now - $0).inWords)" } ?? ""
        return "\(address): \(verdict); newsflash \(facts.version) in the group \(facts.group)\(instance)\(start)"
    }
}

extension WorkerFacts {
    /// The facts for people.
    fileprivate func lines(now: Timestamp) -> [String] {
        var lines = reasons.map { "not ready  \($0)" }
        for hold in sourceHolds { lines.append("paused     \(Self.words(ofHold: hold))") }
        lines += losses.map { "lost       \(Self.words(ofLoss: $0))" }
        lines += notes.map { "note       \($0)" }
        lines.append("partitions \(partitionsInWords)")
        lines.append("lag        \(Self.words(lagRecords, age: lagSeconds.asDuration))")
        for partition in partitions {
            let records = partition[member: "lag"]?[member: "records"]?.int64 ?? 0
            guard partitions.count > 1, records > 0 else { continue }
            let seconds = partition[member: "lag"]?[member: "seconds"]?.number?.double ?? 0
            lines.append(
                "           \(partition[member: "partition"]?.string ?? "?"): \(Self.words(records, age: seconds.asDuration))"
            )
        }
        let events = ["undecided", "waiting", "queued", "sending", "ending", "recording"].map {
            "\(count("events", $0)) \($0)"
        }
        let oldest = text("oldestConsumedAt").flatMap { Timestamp(rfc3339: $0) }
            .map { "; the oldest open for \((now - $0).inWords)" }
        lines.append("events     " + events.joined(separator: ", ") + (oldest ?? ""))
        let lanes = ["express", "normal", "retry"].map { lane in
            "\(lane) \(count("lanes", lane, "waiting")) waiting, \(count("lanes", lane, "inFlight")) in flight"
        }
        lines.append("lanes      " + lanes.joined(separator: "; "))
        lines += hubs.map { "hub        \(Self.words(ofHub: $0))" }
        let writes = count("unconfirmed")
        if writes > 0 { lines.append("kafka      \(counted(Int(writes), "write")) not confirmed yet") }
        return lines
    }

    /// The partitions with their phases, such as `news[0, 1, 4], news[2] (restoring)`.
    private var partitionsInWords: String {
        guard !partitions.isEmpty else { return "none" }
        var numbers: [(topic: Substring, numbers: [Substring])] = []
        var others: [String] = []
        for partition in partitions {
            let name = partition[member: "partition"]?.string ?? "?"
            let phase = partition[member: "phase"]?.string ?? "?"
            guard phase == "working", let bracket = name.lastIndex(of: "[") else {
                others.append("\(name) (\(phase))")
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
        guard records > 0 else { return "none: every record is processed" }
        let oldest = age.map { "the oldest written \($0.inWords) ago" } ?? "the age of the oldest is unknown"
        return "\(counted(Int(clamping: records), "record")), \(oldest)"
    }

    private static func words(ofHold hold: JSONValue) -> String {
        let source =
            hold[member: "source"]?.string ?? hold[member: "topic"]?.string.map { "topic \($0)" } ?? "all sources"
        let since = hold[member: "since"]?.string ?? "?"
        return
            "\(source) since \(since), by \(hold[member: "by"]?.string ?? "?"): \(hold[member: "reason"]?.string ?? "")"
    }

    private static func words(ofLoss loss: JSONValue) -> String {
        let records = counted(Int(clamping: loss[member: "records"]?.int64 ?? 0), "record")
        let offsets = "from \(loss[member: "from"]?.int64 ?? 0) to \(loss[member: "to"]?.int64 ?? 0)"
        let place = "\(loss[member: "partition"]?.string ?? "?") \(offsets)"
        return
            "\(records) of \(place), seen at \(loss[member: "at"]?.string ?? "?") (\(loss[member: "reason"]?.string ?? "?"))"
    }

    private static func words(ofHub hub: JSONValue) -> String {
        let name = hub[member: "name"]?.string ?? "?"
        var parts = [
            "\(hub[member: "inFlight"]?.int64 ?? 0) of at most \(hub[member: "concurrencyLimit"]?.int64 ?? 0) in flight"
        ]
        if let rate = hub[member: "rateLimit"]?.number?.double { parts.append("at most \(rate.inShort) a second") }
        if let until = hub[member: "pausedUntil"]?.string { parts.append("paused until \(until)") }
        if let reason = hub[member: "hold"]?[member: "reason"]?.string { parts.append("CIRCUIT OPEN: \(reason)") }
        return "\(name): " + parts.joined(separator: ", ")
    }
}

extension Double {
    /// The number with one decimal below ten and none above; infinite and huge numbers as they are.
    package var inShort: String {
        guard abs(self) >= 10 else { return ((self * 10).rounded() / 10).description }
        return Int64(exactly: rounded())?.description ?? description
    }

    /// This number of seconds, from zero to 1e9; zero if it is not finite.
    package var asDuration: Duration { isFinite ? .seconds(Swift.min(Swift.max(self, 0), 1e9)) : .zero }
}

extension Duration {
    /// The duration for people, such as `4.2 s`, `27 min`, `3 h 5 min` or `12 d 3 h`.
    package var inWords: String {
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
