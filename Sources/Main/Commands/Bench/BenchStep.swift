/// What a thread of the worker does for an event.
enum BenchStep: String, CaseIterable, Sendable {
    case consumer
    case publishing
    case readers
    case http
    case producer
    case brokers
    case librdkafka
    case others

    /// Tells it by the name of the thread.
    init(thread name: String) {
        self =
            switch name {
            case "kafka-consumer": .consumer
            case "publishing": .publishing
            case "kafka-reader": .readers
            case "kafka-producer": .producer
            case let name where name.hasPrefix("rdk:broker"): .brokers
            case let name where name.hasPrefix("rdk:"): .librdkafka
            case let name where name.contains("curl") || name.contains("http"): .http
            default: .others
            }
    }

    /// For people.
    var title: String {
        switch self {
        case .consumer: "consumer: take batches, read what they say"
        case .publishing: "publishing: decide, plan, render, write records"
        case .readers: "readers: ledgers, and flashes ahead"
        case .http: "HTTP: requests and answers"
        case .producer: "producer: hear of written records"
        case .brokers: "librdkafka's connections to brokers"
        case .librdkafka: "librdkafka's main threads"
        case .others: "other threads, start and end"
        }
    }

    /// Adds threads up.
    ///
    /// - Parameters:
    ///   - threads: Of a process.
    ///   - ticksPerSecond: Of the system's clock.
    ///   - total: All the time of the process in seconds; what no thread accounts for is of the others.
    /// - Returns: Seconds.
    static func seconds(of threads: [ThreadTime], ticksPerSecond: Int, total: Double) -> [BenchStep: Double] {
        var seconds: [BenchStep: Double] = [:]
        for thread in threads {
            seconds[BenchStep(thread: thread.name), default: 0] += Double(thread.ticks) / Double(max(1, ticksPerSecond))
        }
        let known = seconds.values.reduce(0, +)
        seconds[.others, default: 0] += max(0, total - known)
        return seconds
    }
}
