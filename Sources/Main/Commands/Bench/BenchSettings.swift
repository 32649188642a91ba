/// What is to be measured.
struct BenchSettings: Sendable, Equatable {
    var events = 200_000
    /// Of the source topic; `nil` for as many as serve.
    var partitions: Int?
    /// How many requests are under way at a time.
    var inFlight = 100
    /// How long the sink takes for an answer, in milliseconds.
    var delay = 0
    /// Events a second that are written while the worker runs; `nil` for all before it starts.
    var rate: Int?
    /// Kafka to use; `nil` for the embedded cluster.
    var brokers: String?
    var rounds = 3
    /// How often a worker is killed in a lap of its own.
    var kills = 0
    var seed: UInt64 = 1

    /// The embedded cluster forgets the oldest records of a partition beyond 5 MiB.
    private static let partitionBytes = 5 << 20

    /// How many partitions the embedded cluster needs to keep all events.
    var neededPartitions: Int { (events * BenchEvents.largestRecord + Self.partitionBytes - 1) / Self.partitionBytes }

    /// How many partitions the source topic has.
    var sourcePartitions: Int {
        if let partitions { return partitions }
        return brokers == nil ? max(6, neededPartitions) : 6
    }

    /// How many requests the bare lap makes: enough to measure, and no more than the worker makes.
    var bareRequests: Int { min(events, 100_000) }

    /// How many events the lap has in which allocations are counted.
    var countedEvents: Int { min(events, 20_000) }

    /// What is run, one after another.
    enum Lap: Equatable, Sendable {
        case bare
        case worker
        /// A worker that is not measured otherwise, since counting takes time.
        case allocations
        /// Workers that are killed at full speed.
        case kills
    }

    /// Bare libcurl and the worker take turns, so that both meet the same machine.
    var laps: [Lap] {
        (0..<rounds).flatMap { _ in [Lap.bare, .worker] } + [.allocations] + (kills > 0 ? [.kills] : [])
    }

    /// What makes no sense; `nil` where all is well.
    var problem: String? {
        if !(100...2_000_000).contains(events) { return "--events must be 100 to 2000000" }
        if let partitions, !(1...1000).contains(partitions) { return "--partitions must be 1 to 1000" }
        if !(1...1024).contains(inFlight) { return "--in-flight must be 1 to 1024" }
        if !(0...10_000).contains(delay) { return "--delay must be 0 to 10000 ms" }
        if let rate, !(1...1_000_000).contains(rate) { return "--rate must be 1 to 1000000 a second" }
        if brokers?.isEmpty == true { return "--brokers must name a broker" }
        if !(0...100).contains(kills) { return "--kills must be 0 to 100" }
        if kills > 0, rate != nil { return "--kills measures at full speed: no --rate" }
        if !(1...100).contains(rounds) { return "--rounds must be 1 to 100" }
        if let partitions, brokers == nil, partitions < neededPartitions {
            return "the embedded cluster keeps 5 MiB a partition: \(events) events need --partitions "
                + "\(neededPartitions) or more, or a Kafka of yours with --brokers"
        }
        return nil
    }
}
