import HTTPTransport
import NotificationHubs
import Timestamps

/// How a hub of a rehearsal answers a request.
package enum HubAnswer: Sendable, Equatable, CustomStringConvertible {
    /// An HTTP status.
    case status(Int)
    /// The connection ends before the answer: the hub may have accepted the request.
    case cut
    /// No answer comes until the transport gives up: the hub may have accepted the request.
    case silence

    /// Such as `503`, `cut` or `silence`.
    package var description: String {
        switch self {
        case .status(let status): "\(status)"
        case .cut: "cut"
        case .silence: "silence"
        }
    }

    /// The reply that the worker reads from it.
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
    /// The requests that get its answer.
    package enum Span: Sendable, Equatable {
        /// By their number at the hub, from 1, probes included.
        case requests(ClosedRange<Int>)
        /// The requests that are sent after the first of these lines came and before the line after the last comes.
        case lines(ClosedRange<Int>)
    }

    /// The hub's name in the configuration.
    package var hub: String
    package var answer: HubAnswer
    package var span: Span

    package init(hub: String, answer: HubAnswer, span: Span = .requests(1...Int.max)) {
        self.hub = hub
        self.answer = answer
        self.span = span
    }

    /// Whether it has effect.
    ///
    /// - Parameters:
    ///   - request: The number of the request at the hub.
    ///   - line: The line that came last.
    /// - Returns: Whether the request gets its answer.
    func applies(to request: Int, at line: Int) -> Bool {
        switch span {
        case .requests(let numbers): numbers.contains(request)
        case .lines(let lines): lines.contains(line)
        }
    }
}
