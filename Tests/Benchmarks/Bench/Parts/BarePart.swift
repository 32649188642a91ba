import CNewsflashBench
import NewsflashCommandLineArguments

/// `newsflash-bench part bare`: libcurl's multi interface with a fixed request, without Kafka.
///
/// Prints `done N` after N requests were answered with 201, or `failed` with the reason.
struct BarePart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare",
        abstract: "Send a fixed request with bare libcurl."
    )

    @Option(help: "The URL to send to.") var url: String
    @Option(help: "The maximum number of requests in flight.") var inFlight: Int
    @Option(help: "The number of requests.") var requests: Int

    func run() async throws {
        var problem = [CChar](repeating: 0, count: 256)
        // Blocks the current thread; nothing else in this process needs to run.
        let ended = cbench_bare_lap(url, Int32(clamping: inFlight), requests, &problem, problem.count)
        let reason = String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Keep running until the bench has read the figures of this process.
        await PartLines.serve(ended == requests ? "done \(ended)" : "failed after \(ended) requests: \(reason)") { _ in
            ""
        }
    }
}
