import NewsflashHTTPServer
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// Handles a request from its head to its response: checks, limits, sign-in, work and audit.
final class GatewayHandler: Sendable {
    let service: GatewayService
    let authenticators: [any Authenticator]
    let limits: GatewayLimits
    let origins: CrossOriginRule
    let audit: AuditLog
    /// The values of `WWW-Authenticate`.
    let challenges: [String]
    let isTLS: Bool
    let metrics: GatewayMetrics
    let proxies: TrustedProxies
    let rights: CurrentValue<GatewayRights>
    let health: GatewayHealth

    init(
        service: GatewayService,
        authenticators: [any Authenticator],
        challenges: [String],
        limits: GatewayLimits,
        origins: CrossOriginRule,
        audit: AuditLog,
        isTLS: Bool,
        metrics: GatewayMetrics,
        proxies: TrustedProxies,
        rights: CurrentValue<GatewayRights>,
        health: GatewayHealth
    ) {
        self.service = service
        self.authenticators = authenticators
        self.challenges = challenges
        self.limits = limits
        self.origins = origins
        self.audit = audit
        self.isTLS = isTLS
        self.metrics = metrics
        self.proxies = proxies
        self.rights = rights
        self.health = health
    }

    /// Decides about a request by its head. A body is received only from a signed-in user, up to the maximum of the call.
    func decide(_ head: HTTPServerRequest) -> HTTPServerDecision {
        var head = head
        head.client = proxies.client(of: head)
        var exchange = CallContext(request: head, id: TrackingID.random())
        do throws(GatewayRefusal) {
            try RequestForm.check(head)
            if let health = healthAnswer(head) { return .answer(.now(dress(health, for: head, id: exchange.id))) }
            try limits.count(head.client, now: .now)
            let origin = origins.decide(head)
            guard origin != .refused else {
                throw .forbidden("origin", "Pages of this origin are not allowed: see --allow-origin.")
            }
            let target = try GatewayTarget(path: head.rawPath, query: head.rawQuery)
            if head.method == "OPTIONS", case .allowed = origin, let methods = GatewayRoutes.methods(of: target) {
                return .answer(.now(finish(exchange, CrossOriginRule.preflight(methods: methods))))
            }
            let call = try GatewayRoutes.call(method: head.method, target: target)
            exchange.call = call
            guard let authorization = head.first(named: "Authorization") else { throw .unauthorized }
            return .later { [exchange] in await self.admit(exchange, call, authorization) }
        } catch {
            return .answer(.now(refuse(exchange, error)))
        }
    }

    /// The response to a request that the HTTP server itself refuses.
    func refuse(_ head: HTTPServerRequest, _ refusal: HTTPServerRefusal) -> HTTPServerResponse {
        var head = head
        head.client = proxies.client(of: head)
        return refuse(CallContext(request: head, id: TrackingID.random()), GatewayRefusal(refusal))
    }

    /// A request in progress.
    private struct CallContext: Sendable {
        var request: HTTPServerRequest
        /// The request's ID in the log and in the response.
        let id: String
        let began = ContinuousClock.now
        var call: GatewayCall?
        var user: GatewayUser?
        /// The result of the work, for the audit log.
        var answer: GatewayService.Answer?
    }

    private func admit(_ exchange: CallContext, _ call: GatewayCall, _ authorization: String) async
        -> HTTPServerDecision
    {
        var exchange = exchange
        do throws(GatewayRefusal) {
            let user = try await signIn(exchange.request, authorization)
            exchange.user = user
            let isSender = rights.value.mayNotifyOthers(user)
            try limits.count(user, call, isSender: isSender, now: .now)
            return .receive(upTo: call.maximumBodyBytes) { [exchange] request in
                var exchange = exchange
                let client = exchange.request.client
                exchange.request = request
                exchange.request.client = client
                return .later { [exchange] in await self.answer(exchange, call, for: user) }
            }
        } catch {
            return .answer(.now(refuse(exchange, error)))
        }
    }

    private func answer(_ exchange: CallContext, _ call: GatewayCall, for user: GatewayUser) async -> HTTPServerResponse
    {
        var exchange = exchange
        do throws(GatewayRefusal) {
            let answer = try await service.perform(call, exchange.request, for: user, id: exchange.id)
            exchange.answer = answer
            if call.isAudited { record(exchange, status: answer.response.status) }
            return finish(exchange, answer.response)
        } catch {
            return refuse(exchange, error)
        }
    }

    private func signIn(
        _ request: HTTPServerRequest,
        _ authorization: String
    ) async throws(GatewayRefusal) -> GatewayUser {
        for authenticator in authenticators {
            switch await authenticator.authenticate(authorization, from: request.client, now: .now()) {
            case nil: continue
            case .user(let user): return user
            case .refused(let reason):
                var refusal = GatewayRefusal.unauthorized
                refusal.detail = reason
                throw refusal
            case .throttled(let pause): throw .tooMany("sign_in_rate", after: pause)
            case .overloaded: throw .unavailable("sign_in_busy", "Too many users sign in at once: try again.")
            }
        }
        var refusal = GatewayRefusal.unauthorized
        refusal.detail = "unknown_scheme"
        throw refusal
    }

    private func healthAnswer(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        guard request.rawPath == "/livez" || request.rawPath == "/readyz" else { return nil }
        guard request.method == "GET" || request.method == "HEAD" else {
            return GatewayRefusal(405, "method", "This address supports only GET.", allow: "GET, HEAD").response
        }
        return request.rawPath == "/livez" ? .text("alive\n") : health.answer(now: .now)
    }

    private func refuse(_ exchange: CallContext, _ refusal: GatewayRefusal) -> HTTPServerResponse {
        record(exchange, status: refusal.status, refusal)
        metrics.refused(refusal.label)
        var response = refusal.response
        if refusal.status == 401 {
            for challenge in challenges { response.headers.append(("WWW-Authenticate", challenge)) }
        }
        return finish(exchange, response)
    }

    private func record(_ exchange: CallContext, status: Int, _ refusal: GatewayRefusal? = nil) {
        audit.record(
            AuditLog.Entry(
                request: exchange.id,
                client: exchange.request.client,
                action: exchange.call?.action ?? "none",
                subject: exchange.answer?.subject ?? exchange.call?.subject,
                story: exchange.answer?.story,
                user: exchange.user?.name,
                status: status,
                label: refusal?.label,
                detail: refusal?.detail
            )
        )
    }

    /// Counts a response and adds the common headers.
    private func finish(_ exchange: CallContext, _ response: HTTPServerResponse) -> HTTPServerResponse {
        if let call = exchange.call, exchange.user != nil {
            health.observe(call, status: response.status, request: exchange.id)
        }
        metrics.answered(exchange.call?.action ?? "none", status: response.status, after: .now - exchange.began)
        return dress(response, for: exchange.request, id: exchange.id)
    }

    private func dress(
        _ response: HTTPServerResponse,
        for request: HTTPServerRequest,
        id: String
    ) -> HTTPServerResponse {
        var response = response
        response.headers += [
            ("Cache-Control", "no-store"), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"), ("X-Request-Id", id),
        ]
        if isTLS { response.headers.append(("Strict-Transport-Security", "max-age=31536000")) }
        if case .allowed(let origin) = origins.decide(request) {
            response.headers += CrossOriginRule.headers(for: origin)
        }
        return response
    }
}

extension GatewayCall {
    /// Whether a success is logged: only for changes and sends.
    fileprivate var isAudited: Bool {
        switch self {
        case .readInstallation, .readOutcome, .readNotification: false
        default: true
        }
    }
}

/// The users with more rights than the use of their own devices; only those in the configuration.
struct GatewayRights: Sendable, Equatable {
    /// The users who may publish events; `nil` if the configuration has no list.
    let publishers: Set<String>?
    /// The users who may notify others; `nil` if the configuration has no list.
    let senders: Set<String>?

    func mayPublish(_ user: GatewayUser) -> Bool { publishers?.contains(user.name) ?? false }

    func mayNotifyOthers(_ user: GatewayUser) -> Bool { senders?.contains(user.name) ?? false }
}

/// The rule for pages of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// A request from a page that is not allowed is refused. Omitting the CORS headers would not suffice: a browser may add stored
/// credentials, and sends some requests without a preflight.
struct CrossOriginRule: Sendable {
    /// Origins without a path, such as `https://news.example.org`.
    let allowedOrigins: Set<String>

    /// The decision about a request.
    enum Decision: Sendable, Equatable {
        /// The request does not come from a page of another origin.
        case own
        case allowed(origin: String)
        case refused
    }

    func decide(_ request: HTTPServerRequest) -> Decision {
        guard let origin = request.first(named: "Origin") else { return .own }
        return allowedOrigins.contains(origin) ? .allowed(origin: origin) : .refused
    }

    /// The headers of the response to an allowed page.
    static func headers(for origin: String) -> [(name: String, value: String)] {
        [
            ("Access-Control-Allow-Origin", origin), ("Vary", "Origin"),
            ("Access-Control-Expose-Headers", "Location, Retry-After, WWW-Authenticate, X-Request-Id"),
        ]
    }

    /// The response to a preflight request.
    static func preflight(methods: [String]) -> HTTPServerResponse {
        HTTPServerResponse(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
                ("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept-Language"),
                ("Access-Control-Max-Age", "600"),
            ]
        )
    }
}
