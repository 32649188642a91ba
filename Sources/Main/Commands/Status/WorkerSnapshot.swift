import StrictJSON

/// The result of querying one worker.
struct WorkerSnapshot: Sendable {
    /// The host and port of its admin server.
    var address: String
    var answer: Result<WorkerFacts, Silence>

    /// Whether it answers, is ready, and no source is paused.
    var isWell: Bool {
        if case .success(let facts) = answer { facts.isReady && facts.sourceHolds.isEmpty } else { false }
    }

    var isSilent: Bool {
        if case .failure = answer { true } else { false }
    }

    /// The result as a JSON object: the health and status of the worker unchanged, or the error.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("admin", address)
        switch answer {
        case .success(let facts):
            writer.name("ready")
            writer.value(facts.isReady)
            writer.member("reasons", facts.reasons)
            writer.name("status")
            writer.value(facts.status)
        case .failure(let silence):
            writer.member("error", silence.why)
        }
        writer.endObject()
        return writer.bytes
    }
}

/// The facts from `/readyz` and `/status` of a worker. Members may be missing if its version is another.
struct WorkerFacts: Sendable {
    var health: JSONValue
    var status: JSONValue
    /// The number of events that have ended since its start; `nil` if it was not queried.
    var ends: Double?

    var isReady: Bool { health[member: "ready"]?.bool ?? false }
    var reasons: [String] { strings(health[member: "reasons"]) }
    var notes: [String] { strings(status[member: "notes"]) }
    var partitions: [JSONValue] { status[member: "partitions"]?.array ?? [] }
    var hubs: [JSONValue] { status[member: "hubs"]?.array ?? [] }
    var sourceHolds: [JSONValue] { status[member: "sourceHolds"]?.array ?? [] }
    var losses: [JSONValue] { status[member: "losses"]?.array ?? [] }
    var version: String { text("worker", "version") ?? "of unknown version" }
    var group: String { text("worker", "group") ?? "?" }
    var startedAt: String? { text("worker", "startedAt") }

    /// The number of records in all partitions that are not processed.
    var lagRecords: Int64 { partitions.reduce(0) { $0 &+ max(0, $1[member: "lag"]?[member: "records"]?.int64 ?? 0) } }

    /// The lag of the partition with the highest lag.
    var lagSeconds: Double {
        partitions.compactMap { $0[member: "lag"]?[member: "seconds"]?.number?.double }.max() ?? 0
    }

    func count(_ path: String...) -> Int64 { value(path)?.int64 ?? 0 }

    func text(_ path: String...) -> String? { value(path)?.string }

    /// `ready`, `sources paused`, or the code of the first reason why it is not ready, such as `held.unauthorized`.
    var state: String {
        guard !isReady else { return sourceHolds.isEmpty ? "ready" : "sources paused" }
        return reasons.first.map { String($0.prefix { $0 != ":" }) } ?? "not ready"
    }

    /// The sum of the counters of final outcomes in the metrics.
    static func ends(in metrics: [UInt8]) -> Double {
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
