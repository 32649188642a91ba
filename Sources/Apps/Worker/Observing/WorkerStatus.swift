import NewsflashHTTPServer
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The state of a worker, as `/status` shows it.
struct WorkerStatus: Sendable {
    var version: String
    /// The permanent name in the group, which survives restarts; `nil` if not configured.
    var instance: String?
    var group: String
    var startedAt: Timestamp
    /// `nil` before the publishing thread's first turn.
    var publishing: PublishingStatus?
    var lags: [PartitionLag]
    /// Conditions worth knowing that do not affect readiness.
    var notes: [String]
    /// The latest gaps in the source.
    var losses: [LostRecords.Loss] = []
}

extension WorkerStatus {
    /// The JSON of `/status`; see `schemas/admin.openapi.yaml`.
    ///
    /// - Parameter members: Additional members.
    /// - Returns: A JSON object.
    func json(adding members: [(name: String, json: [UInt8])] = []) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("worker")
        writer.beginObject()
        writer.member("version", version)
        writer.name("instance")
        writer.optional(instance)
        writer.member("group", group)
        writer.member("startedAt", startedAt.rfc3339)
        writer.endObject()
        writer.member("notes", notes)
        writer.name("losses")
        writer.value(of: losses)
        if let publishing { writer.members(of: publishing, lags) }
        for member in members {
            writer.name(member.name)
            writer.raw(member.json)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes the state of the publishing core, as members of the current object.
    fileprivate mutating func members(of status: PublishingStatus, _ lags: [PartitionLag]) {
        name("partitions")
        beginArray()
        for partition in status.partitions {
            let lag = lags.first { $0.source == partition.source }
            beginObject()
            member("partition", partition.source.description)
            member("phase", partition.phase.rawValue)
            name("lag")
            beginObject()
            member("records", lag?.records ?? 0)
            name("seconds")
            milliseconds(lag?.age.inSeconds ?? 0)
            endObject()
            endObject()
        }
        endArray()
        name("lanes")
        beginObject()
        for load in status.lanes {
            name(load.lane.name)
            beginObject()
            member("waiting", Int64(load.waiting))
            member("inFlight", Int64(load.inFlight))
            endObject()
        }
        endObject()
        name("hubs")
        beginArray()
        for hub in status.hubs { value(of: hub) }
        endArray()
        name("events")
        beginObject()
        for name in PublishingStatus.stateNames {
            self.name(name)
            value(status.events[name] ?? 0)
        }
        endObject()
        for (name, value) in [
            ("ahead", status.ahead), ("inFlight", status.inFlight), ("unconfirmed", status.unconfirmed),
            ("stories", status.stories), ("storyBytes", status.storyBytes),
        ] {
            self.name(name)
            self.value(value)
        }
        name("oldestConsumedAt")
        optional(status.oldestConsumedAt?.rfc3339)
        limits(status.concurrencyLimit, status.rateLimit, status.pausedUntil)
        name("circuit")
        if let circuit = status.circuit { value(of: circuit) } else { null() }
        name("pauses")
        beginArray()
        for order in status.pauses { value(of: order) }
        endArray()
    }

    private mutating func value(of hub: PublishingStatus.Hub) {
        beginObject()
        member("name", hub.name)
        member("inFlight", Int64(hub.inFlight))
        limits(hub.concurrencyLimit, hub.rateLimit, hub.pausedUntil)
        member("limit", hub.limit.rawValue)
        name("circuit")
        if let circuit = hub.circuit { value(of: circuit) } else { null() }
        endObject()
    }

    private mutating func limits(_ concurrency: Int, _ rate: Double?, _ pausedUntil: Timestamp?) {
        member("concurrencyLimit", Int64(concurrency))
        name("rateLimit")
        if let rate { value(rate) } else { null() }
        name("pausedUntil")
        optional(pausedUntil?.rfc3339)
    }

    fileprivate mutating func optional(_ text: String?) {
        if let text { value(text) } else { null() }
    }

    private mutating func value(of order: ControlRecord) {
        beginObject()
        name("source")
        optional(order.scope.source)
        member("topic", order.scope.topic)
        name("by")
        if case .person(let person) = order.author { value(person) } else { value("volume_limit") }
        member("reason", order.reason)
        member("since", order.at.rfc3339)
        endObject()
    }

    private mutating func value(of circuit: OpenCircuit) {
        beginObject()
        member("reason", circuit.reason.rawValue)
        member("since", circuit.since.rfc3339)
        member("detail", circuit.detail)
        member("remedy", circuit.reason.remedy)
        member("failedProbes", Int64(circuit.probes))
        endObject()
    }
}

extension Lane {
    /// The name in the status.
    fileprivate var name: String {
        switch self {
        case .express: "express"
        case .normal: "normal"
        case .retry: "retry"
        }
    }
}

/// The pages of a worker's admin port: `/livez`, `/readyz`, `/metrics`, `/status`.
struct WorkerPages: Sendable {
    var readiness: @Sendable () -> Readiness
    var status: @Sendable () -> WorkerStatus
    var metrics: @Sendable (MetricsFormat) -> String
    /// Additional members of the status, with functions that make their JSON.
    var members: [(name: String, json: @Sendable () -> [UInt8])] = []

    var pages: [AdminServer.Page] {
        [
            AdminServer.Page("/livez") { [readiness] _ in
                let isAlive = readiness().isAlive
                return .text(isAlive ? "alive\n" : "stuck\n", status: isAlive ? 200 : 503)
            },
            AdminServer.Page("/readyz") { [readiness] _ in
                let readiness = readiness()
                return Self.json(readiness.json, status: readiness.isReady ? 200 : 503)
            },
            .metrics(metrics),
            AdminServer.Page("/status") { [status, members] _ in
                Self.json(status().json(adding: members.map { ($0.name, $0.json()) }))
            },
        ]
    }

    private static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: [("Content-Type", "application/json")], body: .bytes(bytes))
    }
}
