import NewsflashKafka

/// A problem of a topic, or advice for it.
package struct TopicFinding: Sendable, Equatable {
    /// The severity.
    enum Weight: String, Sendable {
        /// Stops the worker, or loses data.
        case problem
        /// Works, but could be better.
        case advice
    }

    /// The change that `newsflash topics apply` makes.
    package enum Remedy: Sendable, Equatable {
        /// Creates the topic.
        case create
        /// Changes one of Kafka's settings.
        case set(String, to: String)
        /// Adds partitions, and moves stories.
        case grow
    }

    package var topic: String
    var weight: Weight
    /// The finding and what to do.
    package var message: String
    /// `nil` if only a person can do something.
    package var remedy: Remedy?

    /// Whether it must be fixed.
    var isProblem: Bool { weight == .problem }
}

extension TopicFinding {
    /// Compares topics with what a worker needs.
    ///
    /// - Parameters:
    ///   - present: The worker's topics.
    ///   - partitions: The wanted number of partitions of the sources; `nil` for advice only.
    /// - Returns: The findings by topic, problems before advice.
    package static func all(in present: [PresentTopic], partitions: Int?) -> [TopicFinding] {
        let sources = present.filter { $0.needed.role == .source }
        return present.flatMap { topic in
            let source = topic.needed.source.map { name in sources.first { $0.needed.name == name } } ?? sources.largest
            let findings = topic.findings(partitions: partitions, source: source)
            return findings.filter(\.isProblem) + findings.filter { !$0.isProblem }
        }
    }
}

extension [PresentTopic] {
    /// The topic that allows the largest records.
    var largest: PresentTopic? { self.max { ($0.largestRecord ?? 0) < ($1.largestRecord ?? 0) } }
}

extension PresentTopic {
    /// The size of the largest record that a source allows, in bytes, after `newsflash topics apply`; `nil` if it is unknown.
    var largestRecord: Int64? {
        guard topic != nil else { return Int64(NeededTopic.largestRecord) }
        guard let most = number("max.message.bytes") else { return nil }
        return most < NeededTopic.largestEvent ? Int64(NeededTopic.largestRecord) : most
    }

    fileprivate func findings(partitions: Int?, source: PresentTopic?) -> [TopicFinding] {
        guard let topic else { return [problem("is missing: make it with 'newsflash topics apply'", .create)] }
        if let error = topic.error { return [problem("cannot be used: \(error)")] }
        let lost = topic.partitions.filter { $0.leader == nil }.map { "\($0.number)" }
        var findings: [TopicFinding] = []
        if !lost.isEmpty {
            let list = lost.joined(separator: ", ")
            findings.append(
                problem(
                    lost.count == 1
                        ? "partition \(list) has no leader: bring its brokers back"
                        : "partitions \(list) have no leader: bring their brokers back"
                )
            )
        }
        if hidesSettings {
            findings.append(advice("its settings were not compared, because the user may not see them"))
        }
        findings += needed.retention == nil ? compaction() : cleanup()
        findings += durability(source)
        switch needed.role {
        case .source:
            findings += count(topic.partitions.count, demanded: partitions) + sizeOfEvents()
        case .deadLetters:
            findings += sizeOfDeadLetters(source?.largestRecord)
        case .ledger:
            findings += fit(topic.partitions.count, source) + sizeOfLedgerRecords() + compactionPace()
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
                : "drops earlier records of a story, and refuses records without one"
            findings.append(
                problem("cleanup.policy=\(policy) \(harm): set it to delete", .set("cleanup.policy", to: "delete"))
            )
        }
        // A negative value means no limit.
        if let kept = number("retention.ms"), kept >= 0, let wanted = needed.retention, kept < wanted {
            findings.append(
                advice(
                    "keeps records for \(Self.days(kept)); recommended are \(Self.days(wanted)): set retention.ms=\(wanted)",
                    .set("retention.ms", to: "\(wanted)")
                )
            )
        }
        return findings
    }

    private func oneness(_ partitions: Int) -> [TopicFinding] {
        guard partitions > 1 else { return [] }
        return [
            advice("has \(partitions) partitions, but only the first is read: write orders with 'newsflash pause'")
        ]
    }

    private func compaction() -> [TopicFinding] {
        var findings: [TopicFinding] = []
        let policies = settings["cleanup.policy"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? ["compact"]
        if policies != ["compact"] {
            let harm =
                needed.role == .control
                ? "loses the orders that pause sources"
                : policies.contains("delete")
                    ? "loses what was sent and what waits"
                    : "keeps all old records, so workers start ever more slowly"
            findings.append(
                problem(
                    "cleanup.policy=\(settings["cleanup.policy"] ?? "") \(harm): set it to compact only",
                    .set("cleanup.policy", to: "compact")
                )
            )
        }
        if let kept = number("delete.retention.ms"), kept < NeededTopic.tombstones {
            let message = "deletes tombstones after \(Self.days(kept)), so a slow worker may miss the end of a story"
            findings.append(advice(message, setting: "delete.retention.ms", to: "\(NeededTopic.tombstones)"))
        }
        return findings
    }

    private func durability(_ source: PresentTopic?) -> [TopicFinding] {
        if let demanded = number("min.insync.replicas"), demanded > replicas {
            let message = "min.insync.replicas=\(demanded) with \(counted(replicas, "replica")) prevents all writes"
            return [problem(message + ": add replicas or lower it")]
        }
        if let demanded = number("min.insync.replicas"), demanded < 2, replicas > 2 {
            let message =
                "min.insync.replicas=\(demanded): a record that only one broker has is confirmed, and lost with it"
            return [advice(message + ": set it to 2")]
        }
        if needed.role == .ledger, let events = source?.replicas, replicas < events {
            let message = "has \(counted(replicas, "replica")), and the topic of events \(events)"
            return [
                advice(message + ": with the ledger, workers lose what was sent and what waits; give it as many")
            ]
        }
        return replicas == 1 ? [advice("has one replica, and is lost with its broker: three are recommended")] : []
    }

    private func count(_ partitions: Int, demanded: Int?) -> [TopicFinding] {
        guard partitions < demanded ?? NeededTopic.usualPartitions else { return [] }
        let message =
            "has \(counted(partitions, "partition")): at most \(counted(partitions, "worker")) can share the events"
        return [demanded.map { problem(message + "; \($0) are wanted", .grow) } ?? advice(message)]
    }

    private func sizeOfEvents() -> [TopicFinding] {
        guard let most = number("max.message.bytes"), most < NeededTopic.largestEvent else { return [] }
        let message = "allows records of at most \(most) bytes, but events may have \(NeededTopic.largestEvent)"
        return [advice(message, setting: "max.message.bytes", to: "\(NeededTopic.largestRecord)")]
    }

    /// A dead letter is the original with more headers. If it does not fit, only its headers are kept.
    private func sizeOfDeadLetters(_ largestEvent: Int64?) -> [TopicFinding] {
        guard let most = number("max.message.bytes"), let largestEvent else { return [] }
        let wanted = largestEvent + Int64(NeededTopic.roomForHeaders)
        guard most < wanted else { return [] }
        return [
            problem(
                "allows records of \(most) bytes, too small for the largest event with the headers of a dead letter: "
                    + "set max.message.bytes=\(wanted) or more",
                .set("max.message.bytes", to: "\(wanted)")
            )
        ]
    }

    /// Partition p of a ledger contains the stories of partition p of the source, so both need the same number.
    private func fit(_ partitions: Int, _ source: PresentTopic?) -> [TopicFinding] {
        guard let events = source?.topic?.partitions.count, events > 0, partitions != events else { return [] }
        return [
            problem(
                "has \(counted(partitions, "partition")) and the topic of events \(events)"
                    + (partitions < events
                        ? ": events of stories are in other partitions than their ledger records, so no worker "
                            + "starts. Stop the workers and move the stories with 'newsflash topics apply'"
                        : ", so growing is not finished. Nothing is lost; do not delete the ledger. Stop the "
                            + "workers and finish with 'newsflash topics apply', which moves the stories"),
                .grow
            )
        ]
    }

    private func sizeOfLedgerRecords() -> [TopicFinding] {
        guard let most = number("max.message.bytes"), most < needed.largestLedgerRecord else { return [] }
        let size = max(NeededTopic.largestRecord, needed.largestLedgerRecord)
        let message = "allows records of \(most) bytes, too small for the largest waiting event"
        return [problem(message + ": set max.message.bytes=\(size)", .set("max.message.bytes", to: "\(size)"))]
    }

    /// Workers read a ledger whole when they start, so old records must be removed soon, but not before late writers are done.
    private func compactionPace() -> [TopicFinding] {
        var findings: [TopicFinding] = []
        for name in ["min.cleanable.dirty.ratio", "segment.bytes", "segment.ms"] {
            guard let wanted = needed.settings[name], let present = settings[name] else { continue }
            guard let most = Double(wanted), let value = Double(present), value > most else { continue }
            findings.append(
                advice(
                    "\(name)=\(present) keeps old records longer, so workers start more slowly",
                    setting: name,
                    to: wanted
                )
            )
        }
        let lag = "min.compaction.lag.ms"
        if let wanted = needed.settings[lag], let least = Int64(wanted), let present = number(lag), present < least {
            let message =
                "\(lag)=\(present) may remove the newer of two records before the owner of the story has merged them"
            findings.append(advice(message, setting: lag, to: wanted))
        }
        return findings
    }

    /// A setting as a whole number; `nil` if it is not one.
    private func number(_ setting: String) -> Int64? { settings[setting].flatMap { Int64($0) } }

    private func problem(_ message: String, _ remedy: TopicFinding.Remedy? = nil) -> TopicFinding {
        TopicFinding(topic: needed.name, weight: .problem, message: message, remedy: remedy)
    }

    private func advice(_ message: String, _ remedy: TopicFinding.Remedy? = nil) -> TopicFinding {
        TopicFinding(topic: needed.name, weight: .advice, message: message, remedy: remedy)
    }

    private func advice(_ message: String, setting: String, to value: String) -> TopicFinding {
        advice("\(message): set \(setting)=\(value)", .set(setting, to: value))
    }

    private static func days(_ milliseconds: Int64) -> String {
        let hours = milliseconds / 3_600_000
        return hours % 24 == 0 ? counted(Int(hours / 24), "day") : counted(Int(hours), "hour")
    }
}
