import NewsflashKafka
import NewsflashStrictJSON

extension TopicPlan {
    /// The plan for people.
    ///
    /// - Parameter style: The screen.
    /// - Returns: The lines without line ends.
    package func lines(_ style: ScreenStyle) -> [String] {
        var table = TextTable([.init(minimum: 7), .init("", .wrapped)])
        for (word, text) in rows {
            let tone: ScreenStyle.Tone? = word == "problem" ? .bad : word == "advice" ? .caution : nil
            table.append([TextTable.Cell(word, tone), TextTable.Cell(text)])
        }
        return table.lines(style)
    }

    /// The texts of the plan, each with its first word.
    private var rows: [(word: String, text: String)] {
        var rows = entries.flatMap(\.rows)
        rows += growths.flatMap(\.lines).map { ("move", $0) }
        rows += conditions.map { ("first", $0) }
        for weight in [TopicFinding.Weight.problem, .advice] {
            rows += TopicFinding.folded(findings.filter { $0.weight == weight }).map { (weight.rawValue, $0) }
        }
        let moving = growths.filter { !$0.isDone }.map(\.ledger)
        let fitting = entries.filter { entry in
            !entry.isChanged && !moving.contains(entry.name) && !entry.findings.contains(where: \.isProblem)
        }
        if !fitting.isEmpty { rows.append(("fits", fitting.map(\.name).joined(separator: ", "))) }
        return rows
    }

    /// The plan as JSON, an object for each topic.
    ///
    /// - Parameter done: Whether the plan was carried out; `nil` if it is only shown.
    /// - Returns: The objects.
    package func json(done: Bool? = nil) -> [[UInt8]] {
        entries.map { entry in
            let growth = growths.first { $0.ledger == entry.name }
            return entry.json(growth, own: findings.filter { $0.topic == entry.name }, done: done)
        }
    }
}

extension TopicFinding {
    /// Returns one line for each message, with all topics that have it.
    static func folded(_ findings: [TopicFinding]) -> [String] {
        var topics: [String: [String]] = [:]
        var messages: [String] = []
        for finding in findings {
            if topics[finding.message] == nil { messages.append(finding.message) }
            topics[finding.message, default: []].append(finding.topic)
        }
        return messages.map { "\(topics[$0, default: []].joined(separator: ", ")): \($0)" }
    }
}

extension TopicPlan.Entry {
    fileprivate var rows: [(word: String, text: String)] {
        if let creation {
            var parts = [counted(creation.partitions ?? 0, "partition")]
            if let replicas = creation.replicationFactor { parts.append(counted(replicas, "replica")) }
            let settings = creation.configuration.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            parts.append(settings.joined(separator: " "))
            return [("create", "\(name) (\(present.needed.role.title)): \(parts.joined(separator: ", "))")]
        }
        var rows: [(word: String, text: String)] = changes.map { change in
            ("change", "\(name): \(change.name) \(change.present) -> \(change.needed)")
        }
        if let partitions {
            rows.append(("grow", "\(name): \(present.partitionCount) -> \(counted(partitions, "partition"))"))
        }
        return rows
    }

    fileprivate func json(_ growth: GrowthPlan?, own findings: [TopicFinding], done: Bool?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("topic", name)
            writer.member("role", present.needed.role.rawValue)
            let moves = growth.map { !$0.isDone } ?? false
            let state = creation != nil ? "missing" : isChanged || moves ? "differs" : "fits"
            writer.member("state", state)
            if let topic = present.topic {
                writer.member("partitions", Int64(topic.partitions.count))
                writer.member("replicas", Int64(present.replicas))
                let shown = present.needed.settings.keys.sorted() + ["min.insync.replicas"]
                writer.settings(shown.compactMap { name in present.settings[name].map { (name, $0) } })
            }
            if let creation {
                writer.name("create")
                writer.beginObject()
                writer.member("partitions", Int64(creation.partitions ?? 0))
                if let replicas = creation.replicationFactor { writer.member("replicas", Int64(replicas)) }
                writer.settings(creation.configuration.sorted { $0.key < $1.key })
                writer.endObject()
            }
            if !changes.isEmpty {
                writer.name("change")
                writer.beginObject()
                for change in changes {
                    writer.name(change.name)
                    writer.beginObject()
                    writer.member("present", change.present)
                    writer.member("needed", change.needed)
                    writer.endObject()
                }
                writer.endObject()
            }
            if let partitions { writer.member("grow", Int64(partitions)) }
            if let growth, !growth.isDone { growth.write(to: &writer) }
            for weight in [TopicFinding.Weight.problem, .advice] {
                writer.texts(weight.rawValue, findings.filter { $0.weight == weight }.map(\.message))
            }
            if let done { writer.member("done", done) }
        }
    }
}

extension JSONWriter {
    /// Writes Kafka's settings of a topic.
    fileprivate mutating func settings(_ settings: [(key: String, value: String)]) {
        name("settings")
        beginObject()
        for (name, value) in settings { member(name, value) }
        endObject()
    }

    /// Writes a list of texts, unless it is empty.
    mutating func texts(_ name: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        self.name(name)
        beginArray()
        for text in texts { value(text) }
        endArray()
    }
}
