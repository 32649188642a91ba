import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashWorker
import NotificationHubs

/// The results of a rehearsal, compared with the expectations.
package struct RehearsalReport {
    /// One JSON object for each record.
    package let lines: [[UInt8]]
    /// The differences from the expectations, for people.
    package let differences: [String]
    /// Violations of rules that must always hold.
    package let faults: [String]
    /// The number of expectations that were met, and of the others.
    package let passed: Int
    package let failed: Int

    /// The differences and the violations, a line each; empty if everything is as expected.
    package var problems: [String] { differences + faults.map { "fault: \($0)" } }

    /// Runs a rehearsal.
    ///
    /// - Parameters:
    ///   - records: The records in order.
    ///   - configuration: The configuration of the worker.
    ///   - restarts: When the worker restarts.
    ///   - hubFaults: The faults of the hubs. Without a fault a hub accepts each request at once.
    ///   - clients: The clients of the hubs, if requests are shown byte for byte.
    ///   - expectations: The expected results.
    ///   - now: The time of records without a time, before the first record with one.
    /// - Throws: `HubError`, which sends to tags do not cause.
    init(
        of records: [PlacedRecord],
        _ configuration: WorkerConfiguration,
        restarts: RehearsedRestarts = RehearsedRestarts(),
        hubFaults: [HubFault] = [],
        clients: [String: HubClient]? = nil,
        expectations: [Expectation] = [],
        now: Timestamp
    ) throws {
        let start = Rehearsal.start(of: records.map(\.record), by: configuration) ?? now
        var rehearsal = Rehearsal(configuration, start: start, restarts: restarts, faults: hubFaults)
        for record in records { rehearsal.receive(record.record, line: record.line) }
        rehearsal.finish()
        // Orders have no line in the output.
        let records = records.filter { $0.record.order == nil }
        let hasFiles = Set(records.map(\.file)).count > 1
        let lines = try zip(records, rehearsal.records).map { placed, record in
            try RehearsedLine(
                line: placed.line,
                file: hasFiles ? placed.file : nil,
                record: record,
                configuration: configuration,
                clients: clients
            ).json()
        }
        self.lines = lines
        faults = rehearsal.faults
        let places = Dictionary(records.enumerated().map { ($1.line, $0) }, uniquingKeysWith: { first, _ in first })
        let found = try expectations.map { expectation in
            try places[expectation.line].map { try JSONReader.read(lines[$0]) }
        }
        let compared = zip(expectations, found).map { $0.differences(from: $1) }
        differences = compared.flatMap(\.self)
        passed = compared.count(where: \.isEmpty)
        failed = compared.count - passed
    }
}

extension [PlacedRecord] {
    /// Checks that the configuration has the sources of the records.
    ///
    /// - Throws: ``OperationError`` with exit code 65 and the configured sources.
    package func checkSources(of configuration: WorkerConfiguration) throws(OperationError) {
        for placed in self {
            guard let name = placed.record.source, !configuration.sources.contains(where: { $0.name == name }) else {
                continue
            }
            let names = configuration.sources.map { "'\($0.name)'" }.joined(separator: ", ")
            throw OperationError(.badData, "\(placed.place): unknown source '\(name)'; configured: \(names)")
        }
    }

    /// Sets the time of records without one to the time of the expectation for their line.
    mutating func setTimes(from expectations: [Expectation]) {
        let times = Dictionary(
            expectations.compactMap { expectation in expectation.appendAt.map { (expectation.line, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        for index in indices where self[index].record.appendAt == nil {
            self[index].record.appendAt = times[self[index].line]
        }
    }
}
