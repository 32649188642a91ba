import NewsflashBasics
import NewsflashCommands
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashOperations

/// Sends prepared requests, and does nothing else.
final class SendRun: HTTPResultReceiver {
    private let transport: any HTTPTransport
    private let exchanges: [HTTPExchange]
    private let concurrency: Int
    private let lap: LapCount
    private let state = Locked(State())

    private struct State {
        var next = 0
        var refusal: String?
    }

    init(_ exchanges: [HTTPExchange], concurrency: Int, over transport: any HTTPTransport) {
        self.exchanges = exchanges
        self.concurrency = concurrency
        self.transport = transport
        self.lap = LapCount(of: exchanges.count)
    }

    /// Sends all requests.
    ///
    /// - Throws: ``OperationError`` if the server rejected a request.
    func run() async throws(OperationError) -> SendLap {
        start(concurrency)
        await lap.wait()
        if let refusal = state.withLock({ $0.refusal }) {
            throw OperationError(.unavailable, "the server rejected a send: \(refusal)")
        }
        guard let result = lap.result else { throw OperationError(.internalError, "too few events to measure") }
        return result
    }

    /// Starts as many requests as have ended.
    func receive(_ results: [HTTPExchangeResult]) {
        for result in results {
            guard let refusal = result.result.refusal else { continue }
            state.withLock { $0.refusal = $0.refusal ?? refusal }
        }
        start(results.count)
        lap.count(results.count)
    }

    private func start(_ count: Int) {
        let range = state.withLock { state in
            defer { state.next = min(exchanges.count, state.next + count) }
            return state.next..<min(exchanges.count, state.next + count)
        }
        if !range.isEmpty { transport.start(Array(exchanges[range]), receiver: self) }
    }
}

extension Result<HTTPResponse, HTTPTransportError> {
    /// The reason of a failure; `nil` for a success.
    fileprivate var refusal: String? {
        switch self {
        case .success(let response) where (200..<300).contains(response.status): nil
        case .success(let response): "status \(response.status)"
        case .failure(let error): error.description
        }
    }
}
