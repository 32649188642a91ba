package import HTTPServer
import HTTPTransport
import Locks
import NotificationHubs
import StrictJSON

/// The hub behind a server.
extension HubEmulator {
    /// Begins to listen; does nothing where it listens already.
    ///
    /// - Throws: ``HTTPServerError`` where the address cannot be had.
    package func start() throws(HTTPServerError) {
        guard url == nil else { return }
        var settings = HTTPServerConfiguration()
        settings.host = configuration.host
        settings.port = configuration.port
        // A batch of a thousand endpoints of browsers has more than the server's own limit.
        settings.maximumBodyBytes = 4 << 20
        settings.tooLarge = { [weak self] request in
            self.map { HTTPServerResponse($0.refuseTooLarge(EmulatedRequest(request)).response) }
                ?? HTTPServerResponse(status: 413)
        }
        settings.maximumConnections = configuration.maximumConnections
        settings.requestTimeout = configuration.requestTimeout
        // Weak, because this object holds the server and with it the handler.
        let started = try HTTPServer(settings) { [weak self] request in
            guard let self else { return .abort }
            return reply(to: request)
        }
        server.withLock { $0 = started }
        runner.withLock { $0.isStopped = false }
        // What was on its way, or waits for its time, goes on.
        wakeRunner()
    }

    /// Ends listening and cuts all connections; what was accepted stays to be looked at.
    package func stop() async {
        stopRunner()
        streams.finish()
        await server.withLock { $0.take() }?.stop()
        let store = state.withLock { state in
            // The last chance of what could not be written.
            _ = state.keepChanges(isWrite: true)
            return state.store.take()
        }
        store?.close()
    }

    /// The hub's base URL; nothing while it does not listen.
    package var url: String? {
        guard let port = server.withLock({ $0?.port }) else { return nil }
        let host =
            switch configuration.host {
            // What is bound everywhere is asked for at home.
            case "0.0.0.0", "": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        return "http://\(host):\(port)"
    }

    /// How clients reach the hub, one for each rule in the rules' order; empty while it does not listen. Holds keys.
    package var connectionStrings: [String] {
        guard let url else { return [] }
        return rules.map { rule in
            "Endpoint=\(url)/;SharedAccessKeyName=\(rule.name);SharedAccessKey=\(rule.key.secretText)"
                + ";UseDevelopmentEmulator=true"
        }
    }

    private func reply(to request: HTTPServerRequest) -> HTTPServerReply {
        let request = EmulatedRequest(request)
        let target = RequestTarget(request.target)
        let route = Routes.route(method: request.method, target: target)
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
        let answer = answer(request, target: target, route: route)
        let cut = answer.cut.map { $0 == .middle ? HTTPServerResponse.Cut.halfway : .unanswered }
        let response = HTTPServerResponse(answer.response, cut: cut)
        guard answer.delay > .zero else { return .now(response) }
        let connections = server.withLock { $0?.maximumConnections } ?? configuration.maximumConnections
        guard let place = delays.take(of: connections) else { return .abort }
        return .later {
            // Ends early when the server stops or the client goes, and then nobody hears the answer.
            try? await Task.sleep(for: answer.delay)
            return withExtendedLifetime(place) { response }
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
