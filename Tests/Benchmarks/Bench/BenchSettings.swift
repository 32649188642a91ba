/// The settings of the worker benchmark.
struct BenchSettings: Sendable, Equatable {
    var events = 200_000
    /// Partitions of the source topic; `nil` chooses the number, see ``sourcePartitions``.
    var partitions: Int?
    /// The maximum number of requests in flight.
    var inFlight = 100
    /// The response time of the sink, in milliseconds.
    var delay = 0
    /// Events written per second while the worker runs; `nil` if all are written before it starts.
    var rate: Int?
    /// The brokers to use; `nil` for the embedded cluster.
    var brokers: String?
    var rounds = 3
    /// How often a worker is killed, in a separate lap.
    var kills = 0
    var seed: UInt64 = 1

    /// The embedded cluster deletes the oldest records of a partition beyond 5 MiB.
    private static let partitionBytes = 5 << 20

    /// The number of partitions that the embedded cluster needs to keep all events.
    var neededPartitions: Int { (events * BenchEvents.largestRecord + Self.partitionBytes - 1) / Self.partitionBytes }

    /// The number of partitions of the source topic.
    var sourcePartitions: Int {
        if let partitions { return partitions }
        return brokers == nil ? max(6, neededPartitions) : 6
    }

    /// The number of requests in the bare lap: enough to measure, and at most as many as the worker makes.
    var bareRequests: Int { min(events, 100_000) }

    /// The number of events in the lap that counts allocations.
    var countedEvents: Int { min(events, 20_000) }

    /// A measurement; they run one after another.
    enum Lap: Equatable, Sendable {
        case bare
        case worker
        /// A worker whose allocations are counted. Measured separately, because counting takes time.
        case allocations
        /// Workers that are killed at full speed.
        case kills
    }

    /// The laps. Bare libcurl and the worker alternate, so that both see the same load of the machine.
    var laps: [Lap] {
        (0..<rounds).flatMap { _ in [Lap.bare, .worker] } + [.allocations] + (kills > 0 ? [.kills] : [])
    }

    /// The first invalid setting; `nil` if all are valid.
    var problem: String? {
        if !(100...2_000_000).contains(events) { return "--events must be 100 to 2000000" }
        if let partitions, !(1...1000).contains(partitions) { return "--partitions must be 1 to 1000" }
        if !(1...1024).contains(inFlight) { return "--in-flight must be 1 to 1024" }
        if !(0...10_000).contains(delay) { return "--delay must be 0 to 10000 ms" }
        if let rate, !(1...1_000_000).contains(rate) { return "--rate must be 1 to 1000000 per second" }
        if brokers?.isEmpty == true { return "--brokers must name a broker" }
        if !(0...100).contains(kills) { return "--kills must be 0 to 100" }
        if kills > 0, rate != nil { return "--kills measures at full speed and cannot be combined with --rate" }
        if !(1...100).contains(rounds) { return "--rounds must be 1 to 100" }
        if let partitions, brokers == nil, partitions < neededPartitions {
            return "the embedded cluster keeps 5 MiB per partition: \(events) events need --partitions "
                + "\(neededPartitions) or more, or your own Kafka with --brokers"
        }
        return nil
    }
}
