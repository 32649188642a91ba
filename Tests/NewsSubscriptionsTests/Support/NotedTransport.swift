import NewsflashBasics
import NewsflashHTTPTransport

/// Records each request, then passes it on or has no network.
final class NotedTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let noted = Locked<[HTTPRequest]>([])
    private let isOffline = Locked(false)

    init(_ next: any HTTPTransport) {
        self.next = next
    }

    /// Removes and returns the requests so far, as `PUT /path` without query.
    func removeCalls() -> [String] {
        removeRequests().map(\.call)
    }

    /// Removes and returns the requests so far.
    func removeRequests() -> [HTTPRequest] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }

    /// Turns the network off or on.
    func setOffline(_ value: Bool) {
        isOffline.withLock { $0 = value }
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        noted.withLock { $0 += exchanges.map(\.request) }
        guard isOffline.withLock({ $0 }) else { return next.start(exchanges, receiver: receiver) }
        let error = HTTPTransportError(.cannotConnect, "no network", mayHaveBeenReceived: false)
        receiver.receive(exchanges.map { HTTPExchangeResult(id: $0.id, result: .failure(error)) })
    }
}

extension HTTPRequest {
    /// The method and the path without query.
    var call: String {
        let path = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        return "\(method.rawValue) /\(path.drop { $0 != "/" }.dropFirst().prefix { $0 != "?" })"
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
