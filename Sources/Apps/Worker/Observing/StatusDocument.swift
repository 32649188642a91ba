package import NewsflashStrictJSON
package import NewsflashTimestamps

/// `/status` of a worker, read by another program: the counterpart of ``WorkerStatus``, which writes it. Members that another
/// version does not write are empty, zero or `nil`.
package struct StatusDocument: Sendable {
    package struct Partition: Sendable, Equatable {
        /// Such as `news[0]`.
        package var name: String
        package var phase: String
        /// The number of records that are not processed.
        package var records: Int64
        /// The age of the oldest of these.
        package var seconds: Double
    }

    package struct Lane: Sendable, Equatable {
        package var waiting: Int64
        package var inFlight: Int64
    }

    package struct Hub: Sendable, Equatable {
        package var name: String
        package var inFlight: Int64
        package var concurrencyLimit: Int64
        package var rateLimit: Double?
        /// An RFC 3339 date-time.
        package var pausedUntil: String?
        /// The reason for which its next request waits, such as `rate`; `nil` from workers that do not report it.
        package var limit: String?
        /// The reason if the circuit is open.
        package var openCircuit: String?
    }

    package struct Pause: Sendable, Equatable {
        package var source: String?
        package var topic: String?
        package var by: String
        package var reason: String
        package var since: String
    }

    package struct Loss: Sendable, Equatable {
        package var partition: String
        package var from: Int64
        package var to: Int64
        package var records: Int64
        package var reason: String
        package var at: String
    }

    /// The rules in force, and the latest reload.
    package struct Rules: Sendable, Equatable {
        package struct Reload: Sendable, Equatable {
            /// The result, such as `promoted` or `dropped`.
            package var result: String
            package var at: String
            package var by: String
            package var reason: String
            package var detail: String
            package var problems: [String]

            /// Whether the configuration that was read is in force.
            package var isInForce: Bool { ["promoted", "unchanged"].contains(result) }
        }

        package var digest: String
        package var since: String
        /// `nil` before the first reload.
        package var lastReload: Reload?
    }

    package var version: String?
    package var instance: String?
    package var group: String?
    package var startedAt: Timestamp?
    package var notes: [String]
    package var losses: [Loss]
    package var partitions: [Partition]
    package var hubs: [Hub]
    package var sourcePauses: [Pause]
    package var unconfirmed: Int64
    package var oldestConsumedAt: Timestamp?
    package var rules: Rules?
    /// The document as it was received.
    package let json: JSONValue
}

extension StatusDocument {
    /// The names of the lanes, in the order of their priority.
    package static let lanes = ["express", "normal", "retry"]
    /// The names of the states of events that have not ended.
    package static let states = ["undecided", "waiting", "queued", "sending", "ending", "recording"]

    /// Reads a document.
    ///
    /// - Parameter json: The document.
    package init(_ json: JSONValue) {
        self.json = json
        let worker = json[member: "worker"]
        version = worker?.text("version")
        instance = worker?.text("instance")
        group = worker?.text("group")
        startedAt = worker?.time("startedAt")
        notes = json.texts("notes")
        losses = json.elements("losses").map { loss in
            Loss(
                partition: loss.text("partition") ?? "?",
                from: loss.count("from"),
                to: loss.count("to"),
                records: loss.count("records"),
                reason: loss.text("reason") ?? "?",
                at: loss.text("at") ?? "?"
            )
        }
        partitions = json.elements("partitions").map { partition in
            let lag = partition[member: "lag"]
            return Partition(
                name: partition.text("partition") ?? "?",
                phase: partition.text("phase") ?? "?",
                records: max(0, lag?.count("records") ?? 0),
                seconds: lag?[member: "seconds"]?.number?.double ?? 0
            )
        }
        hubs = json.elements("hubs").map { hub in
            Hub(
                name: hub.text("name") ?? "?",
                inFlight: hub.count("inFlight"),
                concurrencyLimit: hub.count("concurrencyLimit"),
                rateLimit: hub[member: "rateLimit"]?.number?.double,
                pausedUntil: hub.text("pausedUntil"),
                limit: hub.text("limit"),
                openCircuit: hub[member: "circuit"]?.text("reason")
            )
        }
        sourcePauses = json.elements("pauses").map { pause in
            Pause(
                source: pause.text("source"),
                topic: pause.text("topic"),
                by: pause.text("by") ?? "?",
                reason: pause.text("reason") ?? "",
                since: pause.text("since") ?? "?"
            )
        }
        unconfirmed = json.count("unconfirmed")
        oldestConsumedAt = json.time("oldestConsumedAt")
        rules = json[member: "rules"].flatMap(Rules.init(reading:))
    }

    /// The load of a lane.
    package func lane(_ name: String) -> Lane {
        let lane = json[member: "lanes"]?[member: name]
        return Lane(waiting: lane?.count("waiting") ?? 0, inFlight: lane?.count("inFlight") ?? 0)
    }

    /// The number of events in a state.
    package func events(_ state: String) -> Int64 { json[member: "events"]?.count(state) ?? 0 }
}

extension StatusDocument.Rules {
    fileprivate init?(reading json: JSONValue) {
        guard let digest = json.text("digest") else { return nil }
        self.digest = digest
        since = json.text("since") ?? "?"
        guard let reload = json[member: "lastReload"], let result = reload.text("result") else { return }
        lastReload = Reload(
            result: result,
            at: reload.text("at") ?? "?",
            by: reload.text("by") ?? "?",
            reason: reload.text("reason") ?? "",
            detail: reload.text("detail") ?? "",
            problems: reload.texts("problems")
        )
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? { self[member: name]?.string }
    fileprivate func texts(_ name: String) -> [String] { elements(name).compactMap(\.string) }
    fileprivate func count(_ name: String) -> Int64 { self[member: name]?.int64 ?? 0 }
    fileprivate func time(_ name: String) -> Timestamp? { text(name).flatMap { Timestamp(rfc3339: $0) } }
    fileprivate func elements(_ name: String) -> [JSONValue] { self[member: name]?.array ?? [] }
}
