/// The work that a thread of the worker does for an event.
enum BenchStep: String, CaseIterable, Sendable {
    case consumer
    case publishing
    case readers
    case http
    case producer
    case brokers
    case librdkafka
    case others

    /// Derives the step from the name of a thread.
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

    /// The title in the text report.
    var title: String {
        switch self {
        case .consumer: "consumer: receive batches, decode records"
        case .publishing: "publishing: decide, plan, render, write records"
        case .readers: "readers: ledgers, priority scan"
        case .http: "HTTP: requests and responses"
        case .producer: "producer: delivery reports"
        case .brokers: "librdkafka's connections to brokers"
        case .librdkafka: "librdkafka's main threads"
        case .others: "other threads, start and stop"
        }
    }

    /// Sums the processor time of threads by step.
    ///
    /// - Parameters:
    ///   - threads: The threads of a process.
    ///   - ticksPerSecond: The ticks per second of the system's clock.
    ///   - total: The processor time of the whole process in seconds. Time of ended threads is added to `others`.
    /// - Returns: Seconds by step.
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
