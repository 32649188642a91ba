import StrictJSON

/// The figures of all rounds.
struct BenchReport {
    /// One lap of each kind.
    struct Round {
        var bare: BenchLap
        var worker: BenchLap
    }

    var load: BenchLoad
    /// What took the requests.
    var hub: String
    var cores: Int
    var rounds: [Round]
    /// Of the process before a worker and with one that has nothing to do.
    var idle: (before: ProcessMemory, with: ProcessMemory)?
    var peak: Int?

    var bareRate: Double { median(\.bare.rate) }
    var workerRate: Double { median(\.worker.rate) }
    var bareCPU: Double { median(\.bare.cpu) }
    var workerCPU: Double { median(\.worker.cpu) }
    /// Of the rounds' ratios: what disturbed the machine met both laps of a round.
    var ratio: Double { median { $0.worker.rate / $0.bare.rate } }

    /// Processor time an event by part, the largest of the worker's laps first.
    var parts: [(part: BenchPart, bare: Double, worker: Double)] {
        BenchPart.allCases.map { part in
            (part, bare: median { $0.bare.time(of: part) }, worker: median { $0.worker.time(of: part) })
        }
        .filter { $0.bare + $0.worker >= 0.05 }
        .sorted { $0.worker > $1.worker }
    }

    /// What is not there only for the bench.
    var ownCPU: (bare: Double, worker: Double) {
        (median(\.bare.ownTime), median(\.worker.ownTime))
    }

    private func median(_ value: (Round) -> Double) -> Double {
        let sorted = rounds.map(value).sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

/// Whose threads they are.
enum BenchPart: String, CaseIterable {
    case publishing = "publishing: read, decide, render"
    case consumer = "Kafka consumer"
    case producer = "Kafka producer"
    case librdkafka = "librdkafka, of worker and cluster"
    case curl = "libcurl"
    case cluster = "embedded Kafka cluster"
    case hub = "hub emulator"
    case other = "everything else"

    init(thread name: String) {
        self =
            switch name {
            case "publishing": .publishing
            case "kafka-consumer": .consumer
            case "kafka-producer": .producer
            case "newsflash-curl": .curl
            case "rdk:mock": .cluster
            case let name where name.hasPrefix("rdk:"): .librdkafka
            case let name where name.hasPrefix("MHD"): .hub
            default: .other
            }
    }

    /// Whether it is there only for the bench.
    var isScenery: Bool { self == .cluster || self == .hub }
}

extension BenchLap {
    /// Microseconds an event.
    func time(of part: BenchPart) -> Double {
        threads.reduce(0) { BenchPart(thread: $1.key) == part ? $0 + $1.value : $0 }
    }

    /// All but what is there only for the bench; zero where the system does not tell threads apart.
    var ownTime: Double {
        threads.reduce(0) { BenchPart(thread: $1.key).isScenery ? $0 : $0 + $1.value }
    }
}
