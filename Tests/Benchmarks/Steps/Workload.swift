import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker

/// The inputs of the benchmarks: events, and the settings of a worker.
struct Workload {
    /// The number of different events in a benchmark.
    let count: Int
    let configuration: WorkerConfiguration
    /// One second after the publication of the first event.
    let now = Moment(instant: .now, wall: Timestamp(seconds: 1_772_438_401))
    /// The source partition of all events.
    static let source = TopicPartition(topic: "newsroom.breaking.v1", partition: 3)

    init(events count: Int) throws {
        self.count = count
        configuration = try ConfigurationReader(environment: [:])
            .read(text: Self.settings, source: "benchmarks").configuration
    }

    var planner: EventPlanner { EventPlanner(configuration) }

    /// The values of the source's records.
    var values: [[UInt8]] { (0..<count).map { EventWriter.record($0).value } }

    /// The decoded events.
    func events() throws -> [NewsEvent] {
        try (0..<count).map { number in
            guard case .event(let event, warnings: _) = try content(EventWriter.record(number).value) else {
                throw BenchmarkError("record \(number) is not an event")
            }
            return event
        }
    }

    /// Records in the form that the publishing core receives.
    func records(_ numbers: Range<Int>, of partition: PartitionID) throws -> [IncomingRecord] {
        try numbers.map { number in
            let record = EventWriter.record(number)
            return IncomingRecord(
                partition: partition,
                offset: Int64(number),
                timestamp: now.wall,
                content: try content(record.value),
                original: RecordCopy(key: record.key, value: record.value, headers: [])
            )
        }
    }

    var decoder: EventDecoder { configuration.source.decoder }

    private func content(_ value: [UInt8]) throws -> DecodeOutcome {
        let outcome = decoder.decode(bytes: value)
        guard case .event = outcome else { throw BenchmarkError("a record is not an event: \(outcome)") }
        return outcome
    }

    private static let settings = """
        version: 1
        kafka: { bootstrapServers: "localhost:9092", group: newsflash, startAt: earliest }
        sources: { desk: { topic: newsroom.breaking.v1, format: event, id: "https://cms.example.org/desk" } }
        hubs: { main: { name: hub, connectionStringFile: /run/secrets/hub } }
        locales: { offered: [en, fr, cs], default: en }
        send: { as: template, tags: "{category}" }
        categories:
          World: [world, "medtop:16000000"]
          Politics: [politics, "medtop:11000000"]
          Business: [business, "medtop:04000000"]
          Technology: [technology, "medtop:20000756"]
          Science: [science, "medtop:13000000"]
          Sports: [sports, "medtop:15000000"]
        unknown: drop
        text:
          alert: "{headline}"
          flash: "Breaking: {headline}"
          correction: "Correction: {headline}"
          kill: "Withdrawn: {headline}"
        policy: { life: { flash: 24h, alert: 24h, update: 24h, correction: 24h, kill: 48h } }
        delivery: { concurrency: 64 }
        admin: { listen: "off" }
        """
}
