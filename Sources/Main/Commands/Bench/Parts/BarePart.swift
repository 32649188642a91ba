import CBench
import CommandLineArguments

/// `newsflash bench-part bare`: libcurl's multi interface and a fixed request, no Kafka.
///
/// Says `done N` when N requests were answered 201, `failed` with the reason where one was not.
struct BarePart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare",
        abstract: "What libcurl does with nothing else to do."
    )

    @Option(help: "Where to send.") var url: String
    @Option(help: "How many requests are under way at a time.") var inFlight: Int
    @Option(help: "How many requests.") var requests: Int

    func run() async throws {
        var problem = [CChar](repeating: 0, count: 256)
        // Blocks the thread that it is on, and nothing else in this process has to run.
        let ended = cbench_bare_lap(url, Int32(clamping: inFlight), requests, &problem, problem.count)
        let reason = String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Stays until it was looked at.
        await PartLines.serve(ended == requests ? "done \(ended)" : "failed after \(ended) requests: \(reason)") { _ in
            ""
        }
    }
}
