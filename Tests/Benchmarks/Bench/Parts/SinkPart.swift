import NewsflashCommandLineArguments
import NewsflashCommands
import NewsflashHTTPServer
import NewsflashOperations
import NewsflashTimestamps

/// `newsflash-bench part sink`: a hub that answers 201 and counts requests.
///
/// Lines: `reset N` expects N events, `stats` returns ``SinkFigures``, `latencies START RATE` returns ``LatencyFigures``.
struct SinkPart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink",
        abstract: "A hub that answers 201 and counts requests."
    )

    @Option(help: ArgumentHelp("The response time.", valueName: "ms")) var delay: Int = 0

    func run() async throws {
        let count = SinkCount()
        let delay = delay
        let server: HTTPServer
        do throws(HTTPServerError) {
            server = try HTTPServer(HTTPServerConfiguration(maximumConnections: 4096)) { request in
                let answer = Self.answer(to: count.add(request.body, at: Timestamp.now().nanoseconds))
                guard delay > 0 else { return .now(answer) }
                return .later {
                    try? await Task.sleep(for: .milliseconds(delay), tolerance: .zero)
                    return answer
                }
            }
        } catch {
            throw OperationError(.unavailable, error.description)
        }
        await PartLines.serve("ready http://127.0.0.1:\(server.port)") { words in
            switch words.first {
            case "reset":
                count.reset(expecting: words.dropFirst().first.flatMap { Int($0) } ?? 0)
                return "ok"
            case "stats": return count.figures.line
            case "latencies":
                let numbers = words.dropFirst().compactMap { Int64($0) }
                guard numbers.count == 2, numbers[1] > 0 else { return "" }
                return count.latencies(start: numbers[0], rate: numbers[1]).line
            default: return ""
            }
        }
        await server.stop()
    }

    /// Returns the response of the real hub to the send with a number.
    private static func answer(to number: Int) -> HTTPServerResponse {
        let digits = String(number)
        let tracking = String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
        return HTTPServerResponse(
            status: 201,
            headers: [
                ("Content-Type", "application/xml; charset=utf-8"), ("Server", "Microsoft-HTTPAPI/2.0"),
                ("Location", "https://ns.servicebus.windows.net/hub/messages/NH-\(digits)?api-version=2015-01"),
                ("TrackingId", "6b2f7b0e-0000-4000-8000-\(tracking)_G0"),
            ]
        )
    }
}
