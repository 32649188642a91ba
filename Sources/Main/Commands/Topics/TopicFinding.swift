import Kafka
import StrictJSON

/// Something about a topic that a worker cannot work with, or could do better with.
struct TopicFinding: Sendable, Equatable {
    /// How grave it is.
    enum Weight: String, Sendable {
        /// Keeps the worker from its work, or loses what it must not lose.
        case problem
        /// Works, and could be better.
        case advice
        /// As a worker needs it, with nothing to say.
        case fine
    }

    var topic: String
    var weight: Weight
    /// What is so, and what to do; empty where all is fine.
    var message: String

    /// Whether it must be mended.
    var isProblem: Bool { weight == .problem }

    /// The finding on one line.
    var line: String { isProblem ? "\(topic): \(message)" : "\(topic): advice: \(message)" }

    /// The finding as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("topic", topic)
        writer.member("weight", weight.rawValue)
        if weight != .fine { writer.member("message", message) }
        writer.endObject()
        return writer.bytes
    }
}

extension TopicFinding {
    /// Findings as machines want them: each topic has at least one, so that none is told from not asked.
    ///
    /// - Parameters:
    ///   - findings: What there is to say of the topics.
    ///   - present: The worker's topics.
    /// - Returns: By topic.
    static func complete(_ findings: [TopicFinding], of present: [PresentTopic]) -> [TopicFinding] {
        present.map(\.needed.name).flatMap { topic in
            let said = findings.filter { $0.topic == topic }
            return said.isEmpty ? [TopicFinding(topic: topic, weight: .fine, message: "")] : said
        }
    }

    /// Compares topics with what a worker needs.
    ///
    /// - Parameters:
    ///   - present: The worker's topics.
    ///   - partitions: How many the source must have; `nil` only advises.
    /// - Returns: By topic, problems before advice.
    static func all(in present: [PresentTopic], partitions: Int?) -> [TopicFinding] {
        let sources = present.filter { $0.needed.role == .source }
        return present.flatMap { topic in
            let source = topic.needed.source.map { name in sources.first { $0.needed.name == name } } ?? sources.largest
            let findings = topic.findings(partitions: partitions, source: source)
            return findings.filter(\.isProblem) + findings.filter { !$0.isProblem }
        }
    }
}

extension [PresentTopic] {
    /// The one that takes the largest records.
    fileprivate var largest: PresentTopic? {
        self.max { ($0.number("max.message.bytes") ?? 0) < ($1.number("max.message.bytes") ?? 0) }
    }
}

extension PresentTopic {
    fileprivate func findings(partitions: Int?, source: PresentTopic?) -> [TopicFinding] {
        guard let topic else { return [problem("is missing: make it with 'newsflash topics create'")] }
        if let error = topic.error { return [problem("cannot be used: \(error)")] }
        let lost = topic.partitions.filter { $0.leader == nil }.map { "\($0.number)" }
        var findings: [TopicFinding] = []
        if !lost.isEmpty {
            findings.append(
                problem("no broker leads partition \(lost.joined(separator: ", ")): bring the brokers back")
            )
        }
        findings += needed.retention == nil ? compaction() : cleanup()
        findings += durability(source)
        switch needed.role {
        case .source:
            findings += count(topic.partitions.count, demanded: partitions) + sizeOfEvents()
        case .deadLetters:
            findings += sizeOfDeadLetters(source?.number("max.message.bytes"))
        case .ledger:
            findings += fit(topic.partitions.count, source) + sizeOfMemory()
        case .control:
            findings += oneness(topic.partitions.count)
        case .outcomes:
            break
        }
        return findings
    }

    private func cleanup() -> [TopicFinding] {
        var findings: [TopicFinding] = []
        if let policy = settings["cleanup.policy"], policy.split(separator: ",").contains("compact") {
            let harm =
                needed.role == .source
                ? "drops revisions that were not read yet"
                : "drops earlier records of a story, and refuses those without"
            findings.append(problem("cleanup.policy=\(policy) \(harm): set it to delete"))
        }
        // Below zero is for ever.
        if let kept = number("retention.ms"), kept >= 0, let wanted = needed.retention, kept < wanted {
            findings.append(
                advice("keeps records for \(Self.days(kept)); \(Self.days(wanted)) are good: set retention.ms")
            )
        }
        return findings
    }

    private func oneness(_ partitions: Int) -> [TopicFinding] {
        guard partitions > 1 else { return [] }
        return [
            advice("has \(partitions) partitions, of which only the first is read: write orders with 'newsflash pause'")
        ]
    }

    private func compaction() -> [TopicFinding] {
        var findings: [TopicFinding] = []
        let policies = settings["cleanup.policy"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? ["compact"]
        if policies != ["compact"] {
            let harm =
                needed.role == .control
                ? "forgets which sources are paused"
                : policies.contains("delete")
                    ? "forgets what was sent and what waits"
                    : "never forgets, so that workers read ever more at their start"
            findings.append(
                problem(
                    "cleanup.policy=\(settings["cleanup.policy"] ?? "") \(harm): set it to compact, and nothing else"
                )
            )
        }
        if let kept = number("delete.retention.ms"), kept < NeededTopic.tombstones {
            let message = "drops the end of a story after \(Self.days(kept)), which a slow reader may miss"
            findings.append(advice(message + ": set delete.retention.ms=\(NeededTopic.tombstones)"))
        }
        return findings
    }

    private func durability(_ source: PresentTopic?) -> [TopicFinding] {
        if let demanded = number("min.insync.replicas"), demanded > replicas {
            let message = "min.insync.replicas=\(demanded) with \(counted(replicas, "replica")) lets nothing be written"
            return [problem(message + ": add replicas or lower it")]
        }
        if needed.role == .ledger, let events = source?.replicas, replicas < events {
            let message = "lies on \(counted(replicas, "broker")) and the events on \(events)"
            return [
                advice(message + ": a ledger that is lost takes along what was sent and what waits; give it as many")
            ]
        }
        return replicas == 1 ? [advice("lies on one broker and is lost with it: three are good")] : []
    }

    private func count(_ partitions: Int, demanded: Int?) -> [TopicFinding] {
        guard partitions < demanded ?? 6 else { return [] }
        let message =
            "has \(counted(partitions, "partition")): no more than \(counted(partitions, "worker")) can share the events"
        return [demanded.map { problem(message + "; \($0) were asked for") } ?? advice(message)]
    }

    private func sizeOfEvents() -> [TopicFinding] {
        guard let most = number("max.message.bytes"), most < NeededTopic.largestEvent else { return [] }
        let message = "takes records of \(most) bytes at most, while events may have \(NeededTopic.largestEvent)"
        return [advice(message + ": set max.message.bytes=\(NeededTopic.largestRecord)")]
    }

    /// A dead letter is the original with more headers: where it does not fit, only its headers are kept.
    private func sizeOfDeadLetters(_ largestEvent: Int64?) -> [TopicFinding] {
        guard let most = number("max.message.bytes"), let largestEvent else { return [] }
        let wanted = largestEvent + Int64(NeededTopic.roomForHeaders)
        guard most < wanted else { return [] }
        return [
            problem(
                "takes records of \(most) bytes, too few for the largest event with the headers of a dead letter: "
                    + "set max.message.bytes=\(wanted) or more"
            )
        ]
    }

    /// A ledger's partition p knows the stories of the source's partition p.
    private func fit(_ partitions: Int, _ source: PresentTopic?) -> [TopicFinding] {
        guard let events = source?.topic?.partitions.count, events > 0, partitions != events else { return [] }
        return [
            problem(
                "has \(counted(partitions, "partition")) and the topic of events \(events)"
                    + (partitions < events
                        ? ": stories have moved away from what is known of them, and no worker starts. Stop the workers and "
                            + "carry the stories over with 'newsflash topics grow'"
                        : ", as while both grow. Nothing is lost, and do not delete it: stop the workers and finish with "
                            + "'newsflash topics grow --partitions \(partitions)', which carries the stories over")
            )
        ]
    }

    private func sizeOfMemory() -> [TopicFinding] {
        guard let most = number("max.message.bytes"), most < NeededTopic.largestMemory else { return [] }
        let message = "takes records of \(most) bytes, too few for the largest event that waits"
        return [problem(message + ": set max.message.bytes=\(NeededTopic.largestRecord)")]
    }

    /// A setting that is a whole number.
    fileprivate func number(_ setting: String) -> Int64? { settings[setting].flatMap { Int64($0) } }

    private func problem(_ message: String) -> TopicFinding {
        TopicFinding(topic: needed.name, weight: .problem, message: message)
    }

    private func advice(_ message: String) -> TopicFinding {
        TopicFinding(topic: needed.name, weight: .advice, message: message)
    }

    private static func days(_ milliseconds: Int64) -> String {
        let hours = milliseconds / 3_600_000
        return hours % 24 == 0 ? counted(Int(hours / 24), "day") : counted(Int(hours), "hour")
    }
}
