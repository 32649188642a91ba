import Certificates
package import HTTPServer
import HTTPTransport
import Locks
import NotificationHubs
import StrictJSON
import Timestamps

/// The hub behind a server.
extension HubEmulator {
    /// Begins to listen; does nothing where it listens already.
    ///
    /// - Throws: ``HTTPServerError`` where the address cannot be had.
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
        // What was on its way, or waits for its time, goes on.
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
        // Two servers share the process's descriptors.
        settings.maximumConnections =
            isTwofold
            ? max(1, min(configuration.maximumConnections, FileDescriptorLimit.current / 16 * 7))
            : configuration.maximumConnections
        settings.requestTimeout = configuration.requestTimeout
        // Weak, because this object holds the server and with it the handler.
        return try HTTPServer(
            settings,
            decide: { [weak self] head in self?.decide(head) ?? .answer(.abort) },
            refuse: { [weak self] head, refusal in
                self.map { HTTPServerResponse($0.refuse(EmulatedRequest(head), HubFailure(refusal)).response) }
                    ?? refusal.response
            }
        )
    }

    /// Ends listening and cuts all connections; what was accepted stays to be looked at.
    package func stop() async {
        stopRunner()
        streams.finish()
        await listening.withLock { $0.take() }?.stop()
        let store = state.withLock { state in
            // The last chance of what could not be written.
            _ = state.keepChanges(isWrite: true)
            return state.store.take()
        }
        store?.close()
    }

    /// The hub's base URL, in plain HTTP where it speaks that; nothing while it does not listen.
    package var url: String? {
        guard let port = listening.withLock({ $0?.plain?.port }) else { return secureURL }
        return "http://\(Self.called(configuration.host)):\(port)"
    }

    /// The hub's base URL in HTTPS; nothing while it does not listen so.
    package var secureURL: String? {
        guard let tls = configuration.tls, let port = listening.withLock({ $0?.secure?.port }) else { return nil }
        return "https://\(Self.called(tls.host)):\(port)"
    }

    /// What clients are told to trust, in PEM; nothing where the hub has no authority of its own.
    package var authority: [UInt8]? { listening.withLock { $0?.authority } }

    private static func called(_ host: String) -> String {
        switch host {
        // What is bound everywhere is asked for at home.
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "[::1]"
        case let host where host.contains(":"): "[\(host)]"
        case let host: host
        }
    }

    /// How clients reach the hub in plain HTTP, one for each rule in the rules' order; empty where it does not listen so.
    /// Holds keys.
    package var connectionStrings: [String] {
        guard configuration.servesPlainHTTP, let url else { return [] }
        return rules.map { rule in
            "Endpoint=\(url)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key.secretText)"
                + ";UseDevelopmentEmulator=true"
        }
    }

    /// How clients reach the hub by HTTPS, in the one form that every SDK reads. Holds keys.
    package var secureConnectionStrings: [String] {
        guard let address = secureURL?.dropFirst("https".count) else { return [] }
        return rules.map { rule in
            "Endpoint=sb\(address)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key.secretText)"
        }
    }

    private func decide(_ head: HTTPServerRequest) -> HTTPServerDecision {
        let target = RequestTarget(head.target)
        let route = Routes.route(method: head.method, target: target)
        return .receive(upTo: route.maximumBodyBytes) { [weak self] request in
            self?.reply(to: EmulatedRequest(request), target: target, route: route) ?? .abort
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
        default:
            // A page has megabytes to write, for which no send has to wait.
            return .later { [self] in
                let now = configuration.clock()
                return HTTPServerResponse(inspect(request, segments: segments, target: target, now: now))
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

    /// Hands an event to whoever publishes it, where someone does.
    private func news(_ request: EmulatedRequest) -> HTTPServerReply {
        // Another page's form cannot send this type without asking first.
        guard request.headers["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
            return .now(HTTPServerResponse(.problem(415, "the content type of an event is application/json")))
        }
        guard let desk = newsDesk.withLock({ $0 }) else {
            return .now(HTTPServerResponse(.problem(409, "no worker is connected: send to the hub itself")))
        }
        return .later {
            if let problem = await desk.publish(request.body) { return HTTPServerResponse(.problem(400, problem)) }
            return HTTPServerResponse(.json(status: 202) { $0.accepted() })
        }
    }

    private func answer(to request: EmulatedRequest, target: RequestTarget, route: Route) -> HTTPServerReply {
        // A batch of megabytes takes its time, in which others are answered.
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
        guard let place = delays.take(of: connections) else { return .abort }
        return .later {
            // Ends early when the server stops or the client goes, and then nobody hears the answer.
            try? await Task.sleep(for: answer.delay)
            return withExtendedLifetime(place) { response }
        }
    }
}

extension Route {
    /// The most bytes of a body that the server receives.
    fileprivate var maximumBodyBytes: Int {
        switch self {
        // A batch of a thousand endpoints of browsers has some megabytes.
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
        name("accepted")
        value(true)
        endObject()
    }
}
