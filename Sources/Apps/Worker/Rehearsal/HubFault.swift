import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// The response of a hub in a rehearsal.
package enum RehearsedAnswer: Sendable, Equatable, CustomStringConvertible {
    /// An HTTP status.
    case status(Int)
    /// The connection ends before the response: the hub may have accepted the request.
    case cut
    /// No response until the transport times out: the hub may have accepted the request.
    case silence

    /// A word such as `503`, `cut` or `silence`.
    package var description: String {
        switch self {
        case .status(let status): "\(status)"
        case .cut: "cut"
        case .silence: "silence"
        }
    }

    /// The reply that the worker derives from it.
    func reply(now: Timestamp) -> HubReply {
        switch self {
        case .status(let status):
            HubClient.reply(to: .success(HTTPResponse(status: status, headers: [])), now: now)
        case .cut:
            HubClient.reply(
                to: .failure(
                    HTTPTransportError(.connectionLost, "the rehearsal cut the connection", mayHaveBeenReceived: true)
                ),
                now: now
            )
        case .silence:
            HubClient.reply(
                to: .failure(HTTPTransportError(.timedOut, "the rehearsal gave no answer", mayHaveBeenReceived: true)),
                now: now
            )
        }
    }
}

/// A fault of a hub in a rehearsal.
package struct HubFault: Sendable, Equatable {
    /// The requests that get its response.
    package enum Span: Sendable, Equatable {
        /// By their number at the hub, from 1, including probes.
        case requests(ClosedRange<Int>)
        /// Requests sent from the arrival of the first line until the arrival of the line after the last.
        case lines(ClosedRange<Int>)
    }

    /// The hub's name in the configuration.
    package var hub: String
    package var answer: RehearsedAnswer
    package var span: Span

    package init(hub: String, answer: RehearsedAnswer, span: Span = .requests(1...Int.max)) {
        self.hub = hub
        self.answer = answer
        self.span = span
    }

    /// Whether a request gets this response.
    ///
    /// - Parameters:
    ///   - request: The number of the request at the hub.
    ///   - line: The latest line.
    /// - Returns: Whether the fault applies.
    func applies(to request: Int, at line: Int) -> Bool {
        switch span {
        case .requests(let numbers): numbers.contains(request)
        case .lines(let lines): lines.contains(line)
        }
    }
}
