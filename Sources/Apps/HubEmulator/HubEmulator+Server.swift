package import HTTPServer
import HTTPTransport
import Locks
import NotificationHubs

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
        settings.tooLarge = { [weak self] in self?.refuseTooLarge() ?? HTTPServerResponse(status: 413) }
        settings.maximumConnections = configuration.maximumConnections
        settings.requestTimeout = configuration.requestTimeout
        // Weak, because this object holds the server and with it the handler.
        let started = try HTTPServer(settings) { [weak self] request in
            guard let self else { return .abort }
            return reply(to: request)
        }
        server.withLock { $0 = started }
    }

    /// Ends listening and cuts all connections; what was accepted stays to be looked at.
    package func stop() async {
        await server.withLock { $0.take() }?.stop()
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
        let answer = answer(
            EmulatedRequest(
                method: request.method,
                target: request.target,
                headers: HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
                body: request.body
            )
        )
        let cut = answer.cut.map { $0 == .middle ? HTTPServerResponse.Cut.halfway : .unanswered }
        let response = HTTPServerResponse(answer.response, cut: cut)
        guard answer.delay > .zero else { return .now(response) }
        return .later {
            // Ends early only when the server stops, and then nobody hears the answer.
            try? await Task.sleep(for: answer.delay)
            return response
        }
    }
    /// The answer to a request whose body did not come whole, since it is larger than any that the hub takes.
    private func refuseTooLarge() -> HTTPServerResponse {
        let now = configuration.clock()
        return HTTPServerResponse(state.withLock { $0.hub.refuse(.tooLarge, now: now) })
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
