import NewsflashBasics
import NewsflashHTTPTransport

/// Answers from a list, with one answer for each request.
final class ScriptedTransport: HTTPTransport {
    private let state: Locked<(answers: [HTTPResponse], requests: [HTTPRequest])>

    init(_ answers: [HTTPResponse]) {
        state = Locked((answers, []))
    }

    /// Removes and returns the requests so far.
    func removeRequests() -> [HTTPRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Sets the answers of the next requests, and drops the remaining ones.
    func answer(_ answers: [HTTPResponse]) {
        state.withLock { $0.answers = answers }
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        for exchange in exchanges {
            let answer = state.withLock { state in
                state.requests.append(exchange.request)
                // A missing answer must not look like a success.
                return state.answers.isEmpty ? HTTPResponse(status: 599) : state.answers.removeFirst()
            }
            receiver.receive([HTTPExchangeResult(id: exchange.id, result: .success(answer))])
        }
    }
}

extension HTTPResponse {
    init(_ status: Int, _ body: String = "", headers: HTTPHeaders = []) {
        self.init(status: status, headers: headers, body: Array(body.utf8))
    }
}
