import NotificationHubs
import StrictJSON
import Timestamps
import Worker

/// A rehearsal, done, and held to what was expected of it.
struct RehearsalReport {
    /// One JSON object a record.
    let lines: [[UInt8]]
    /// What is not as expected, in words.
    let differences: [String]
    /// What must never happen, whatever is expected.
    let faults: [String]
    /// Expectations that were met, and others.
    let passed: Int
    let failed: Int

    /// Rehearses.
    ///
    /// - Parameters:
    ///   - records: In order.
    ///   - configuration: The worker's.
    ///   - restartEvery: After how many records the worker's memory is lost; 0 for never.
    ///   - hubFaults: Of the hubs; without a fault a hub accepts each request at once.
    ///   - clients: Of the hubs, where requests are to be shown.
    ///   - expectations: What the records are held to.
    ///   - now: The time of records that name none, before any that does.
    /// - Throws: `HubError`, which no send to tags brings about.
    init(
        of records: [PlacedRecord],
        _ configuration: WorkerConfiguration,
        restartEvery: Int = 0,
        hubFaults: [HubFault] = [],
        clients: [String: HubClient]? = nil,
        expectations: [Expectation] = [],
        now: Timestamp
    ) throws {
        let start = Rehearsal.start(of: records.map(\.record), by: configuration) ?? now
        var rehearsal = Rehearsal(configuration, start: start, restartEvery: restartEvery, faults: hubFaults)
        for record in records { rehearsal.take(record.record, line: record.line) }
        rehearsal.finish()
        // An order is no record, and has no line.
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
    /// Checks that the sources that records name exist.
    ///
    /// - Parameter configuration: With the sources.
    /// - Throws: ``CommandError`` with exit code 65 that lists the configured sources.
    func checkSources(of configuration: WorkerConfiguration) throws(CommandError) {
        for placed in self {
            guard let name = placed.record.source, !configuration.sources.contains(where: { $0.name == name }) else {
                continue
            }
            let names = configuration.sources.map { "'\($0.name)'" }.joined(separator: ", ")
            throw CommandError(.badData, "\(placed.place): there is no source '\(name)'; there is \(names)")
        }
    }

    /// Gives records that name no time of their own the one that is expected of their lines.
    mutating func takeTimes(from expectations: [Expectation]) {
        let times = Dictionary(
            expectations.compactMap { expectation in expectation.appendAt.map { (expectation.line, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        for index in indices where self[index].record.appendAt == nil {
            self[index].record.appendAt = times[self[index].line]
        }
    }
}
