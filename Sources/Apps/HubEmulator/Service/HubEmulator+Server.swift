import NewsflashBasics
import NewsflashCertificates
package import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// The hub as an HTTP server.
extension HubEmulator {
    /// Starts listening. Does nothing if the hub is already listening.
    ///
    /// - Throws: ``HTTPServerError`` if the address cannot be bound.
    package func start() throws(HTTPServerError) {
        guard listening.withLock({ $0 == nil }) else { return }
        var started = HubListening()
        let isTwofold = configuration.servesPlainHTTP && configuration.tls != nil
        if configuration.servesPlainHTTP {
            started.plain = try serve(on: configuration.host, configuration.port, tls: nil, isTwofold: isTwofold)
        }
        if let tls = configuration.tls {
            let (certificate, authority) = try tls.certificate(now: .now())
            let shown = HTTPServerTLS(certificate: certificate.certificate, key: certificate.key)
            started.secure = try serve(on: tls.host, tls.port, tls: shown, isTwofold: isTwofold)
            started.authority = authority
        }
        listening.withLock { [started] in $0 = started }
        runner.withLock { $0.isStopped = false }
        // Continues fan-outs in progress and scheduled sends.
        wakeRunner()
    }

    private func serve(
        on host: String,
        _ port: UInt16,
        tls: HTTPServerTLS?,
        isTwofold: Bool
    ) throws(HTTPServerError) -> HTTPServer {
        var settings = HTTPServerConfiguration()
        settings.host = host
        settings.port = port
        settings.tls = tls
        // Two servers share the file descriptors of the process.
        settings.maximumConnections =
            isTwofold
            ? max(1, min(configuration.maximumConnections, FileDescriptorLimit.current / 16 * 7))
            : configuration.maximumConnections
        settings.requestTimeout = configuration.requestTimeout
        // Weak, because this object owns the server, and the server owns the handler.
        return try HTTPServer(
            settings,
            decide: { [weak self] head in self?.decide(head, isSecure: tls != nil) ?? .answer(.abort) },
            refuse: { [weak self] head, refusal in
                self.map { HTTPServerResponse($0.refuse(EmulatedRequest(head), HubFailure(refusal)).response) }
                    ?? refusal.response
            }
        )
    }

    /// Stops listening and closes all connections. Accepted sends remain available for inspection.
    package func stop() async {
        stopRunner()
        streams.finish()
        await listening.withLock { $0.take() }?.stop()
        let store = state.withLock { state in
            // The last attempt to write pending changes.
            _ = state.keepChanges(isWrite: true)
            return state.store.take()
        }
        store?.close()
    }

    /// The hub's base URL: plain HTTP if enabled, otherwise HTTPS; `nil` if the hub is not listening.
    package var url: String? {
        guard let port = listening.withLock({ $0?.plain?.port }) else { return secureURL }
        return "http://\(Self.called(configuration.host)):\(port)"
    }

    /// The hub's HTTPS base URL; `nil` if the hub is not listening on HTTPS.
    package var secureURL: String? {
        guard let tls = configuration.tls, let port = listening.withLock({ $0?.secure?.port }) else { return nil }
        return "https://\(Self.called(tls.host)):\(port)"
    }

    /// The URL that opens the console with its token; `nil` if the console needs none, or if the hub is not listening.
    package var consoleURL: String? {
        guard let consoleAccess, let url else { return nil }
        return "\(url)/?\(ConsoleAccess.parameter)=\(consoleAccess.token)"
    }

    /// The CA certificate that clients must trust, in PEM; `nil` if the hub has no CA of its own.
    package var authority: [UInt8]? { listening.withLock { $0?.authority } }

    private static func called(_ host: String) -> String {
        switch host {
        // Use loopback in URLs if bound to all interfaces.
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "[::1]"
        case let host where host.contains(":"): "[\(host)]"
        case let host: host
        }
    }

    /// The connection strings for plain HTTP, one for each rule, in the order of the rules; empty if the hub does not listen
    /// on it. They contain keys.
    package var connectionStrings: [String] {
        guard configuration.servesPlainHTTP, let url else { return [] }
        return rules.map { rule in
            "Endpoint=\(url)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key.secretText)"
                + ";UseDevelopmentEmulator=true"
        }
    }

    /// The connection strings for HTTPS, in the form that every SDK can parse. They contain keys.
    package var secureConnectionStrings: [String] {
        guard let address = secureURL?.dropFirst("https".count) else { return [] }
        return rules.map { rule in
            "Endpoint=sb\(address)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key.secretText)"
        }
    }

    private func decide(_ head: HTTPServerRequest, isSecure: Bool) -> HTTPServerDecision {
        let target = RequestTarget(head.target)
        let route = Routes.route(method: head.method, target: target)
        return .receive(upTo: route.maximumBodyBytes) { [weak self] request in
            var received = EmulatedRequest(request)
            received.isSecure = isSecure
            return self?.reply(to: received, target: target, route: route) ?? .abort
        }
    }

    private func reply(to request: EmulatedRequest, target: RequestTarget, route: Route) -> HTTPServerReply {
        guard case .inspection(let segments) = route else { return answer(to: request, target: target, route: route) }
        if let refusal = refusePage(request, target: target, isPage: false) {
            return .now(HTTPServerResponse(refusal.response))
        }
        switch (request.method, segments) {
        case ("GET", ["events"]): return .now(eventStream())
        case ("POST", ["news"]): return news(request)
        case ("GET", ["deliveries"]) where target.hasFlag("wait"): return waitForDeliveries(request, target: target)
        default:
            // Inspection pages can have megabytes, so they are written in the background and delay no send.
            return .later { [self] in
                let now = configuration.clock()
                return HTTPServerResponse(inspect(request, segments: segments, target: target, now: now))
            }
        }
    }

    /// Responds when enough deliveries match, or when the time of the request is over.
    private func waitForDeliveries(_ request: EmulatedRequest, target: RequestTarget) -> HTTPServerReply {
        let connections = listening.withLock { $0?.maximumConnections } ?? configuration.maximumConnections
        guard let place = delays.reserveConnection(of: connections) else {
            return .now(HTTPServerResponse(.problem(503, "too many requests wait already")))
        }
        return .later { [self] in
            // The inspection reports a malformed query.
            if let query = try? DeliveryQuery(target) { await waitForDeliveries(query) }
            let now = configuration.clock()
            return withExtendedLifetime(place) {
                HTTPServerResponse(inspect(request, segments: ["deliveries"], target: target, now: now))
            }
        }
    }

    private func eventStream() -> HTTPServerResponse {
        HTTPServerResponse(
            status: 200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .stream(streams.open())
        )
    }

    /// Passes an event to the connected publisher, if there is one.
    private func news(_ request: EmulatedRequest) -> HTTPServerReply {
        // A form on another site cannot send this content type without a preflight request.
        guard request.headers["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
            return .now(HTTPServerResponse(.problem(415, "the content type of an event must be application/json")))
        }
        guard let desk = consoleExtension.withLock({ $0 }) else {
            return .now(HTTPServerResponse(.problem(409, "no worker is connected; send to the hub directly")))
        }
        return .later {
            if let problem = await desk.publish(request.body) { return HTTPServerResponse(.problem(400, problem)) }
            return HTTPServerResponse(.json(status: 202) { $0.accepted() })
        }
    }

    private func answer(to request: EmulatedRequest, target: RequestTarget, route: Route) -> HTTPServerReply {
        // Large batches are processed in the background, so that other requests are answered meanwhile.
        guard request.body.count > HubMessage.maximumBytes else {
            return answerNow(to: request, target: target, route: route)
        }
        return .later { [self] in
            switch answerNow(to: request, target: target, route: route) {
            case .now(let response): response
            case .later(let wait): await wait()
            case .abort: HTTPServerResponse(status: 503, cut: .unanswered)
            }
        }
    }

    private func answerNow(to request: EmulatedRequest, target: RequestTarget, route: Route) -> HTTPServerReply {
        let answer = answer(request, target: target, route: route)
        let cut = answer.cut.map { $0 == .middle ? HTTPServerResponse.Cut.halfway : .unanswered }
        let response = HTTPServerResponse(answer.response, cut: cut)
        guard answer.delay > .zero else { return .now(response) }
        let connections = listening.withLock { $0?.maximumConnections } ?? configuration.maximumConnections
        guard let place = delays.reserveConnection(of: connections) else { return .abort }
        return .later {
            // Ends early if the server stops or the client disconnects; the response is then discarded.
            try? await Task.sleep(for: answer.delay)
            return withExtendedLifetime(place) { response }
        }
    }
}

extension Route {
    /// The maximum size of a request body, in bytes.
    fileprivate var maximumBodyBytes: Int {
        switch self {
        // A batch for a thousand browser endpoints has several megabytes.
        case .operation(let operation): min(operation.maximumBodyBytes, 4 << 20)
        case .inspection: 1 << 20
        case .console, .wrongMethod, .unknown: HubMessage.maximumBytes
        }
    }
}

extension HubFailure {
    fileprivate init(_ refusal: HTTPServerRefusal) {
        switch refusal {
        case .tooLarge: self = .tooLarge
        case .malformed: self.init(refusal.status, refusal.message)
        case .busy: self.init(refusal.status, refusal.message, retryAfter: "1")
        }
    }
}

extension EmulatedRequest {
    fileprivate init(_ request: HTTPServerRequest) {
        self.init(
            method: request.method,
            target: request.target,
            headers: HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            body: request.body
        )
    }
}

extension HTTPServerResponse {
    fileprivate init(_ response: HTTPResponse, cut: Cut? = nil) {
        self.init(
            status: response.status,
            headers: response.headers.fields.map { ($0.name, $0.value) },
            body: .bytes(response.body),
            cut: cut
        )
    }
}

extension JSONWriter {
    fileprivate mutating func accepted() {
        beginObject()
        member("accepted", true)
        endObject()
    }
}

/// Counts the responses that a fault delays and limits their number, so that some connections always remain free. Otherwise
/// nobody could end the fault.
final class DelayedAnswers: Sendable {
    /// The number of connections kept free for inspecting the hub.
    private static let placesKept = 16

    private let count = Locked(0)

    /// A reserved connection; released when the object is deallocated.
    final class Place: Sendable {
        private let answers: DelayedAnswers

        fileprivate init(_ answers: DelayedAnswers) {
            self.answers = answers
        }

        deinit {
            answers.count.withLock { $0 -= 1 }
        }
    }

    /// Reserves a connection for a delayed response.
    ///
    /// - Parameter connections: The server's limit. With fewer than 32, half of them are kept free.
    /// - Returns: `nil` if all are in use.
    func reserveConnection(of connections: Int) -> Place? {
        let places = connections - min(Self.placesKept, connections / 2)
        let isReserved = count.withLock { count in
            guard count < places else { return false }
            count += 1
            return true
        }
        return isReserved ? Place(self) : nil
    }
}
