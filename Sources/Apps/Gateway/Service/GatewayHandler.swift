import HTTPServer
import NotificationHubs
import StrictJSON
import Timestamps

/// What happens to a request from its first look to its answer: form, limits, sign-in, work, audit.
final class GatewayHandler: Sendable {
    let service: GatewayService
    let authenticators: [any Authenticator]
    let limits: GatewayLimits
    let origins: CrossOriginRule
    let audit: AuditLog
    /// What `WWW-Authenticate` names.
    let challenges: [String]
    let isTLS: Bool
    let metrics: GatewayMetrics

    init(
        service: GatewayService,
        authenticators: [any Authenticator],
        challenges: [String],
        limits: GatewayLimits,
        origins: CrossOriginRule,
        audit: AuditLog,
        isTLS: Bool,
        metrics: GatewayMetrics
    ) {
        self.service = service
        self.authenticators = authenticators
        self.challenges = challenges
        self.limits = limits
        self.origins = origins
        self.audit = audit
        self.isTLS = isTLS
        self.metrics = metrics
    }

    /// Answers a request, at once where nothing has to be waited for.
    func reply(to request: HTTPServerRequest) -> HTTPServerReply {
        let exchange = Exchange(request: request, id: TrackingID.random())
        do throws(GatewayRefusal) {
            do throws(GatewayRefusal) {
                try RequestForm.check(request)
            } catch {
                // What follows on this connection may be a part of this request.
                return .now(refuse(exchange, error, closing: true))
            }
            if let health = health(request) { return .now(dress(health, for: request, id: exchange.id)) }
            try limits.count(request.client, now: .now)
            let origin = origins.decide(request)
            guard origin != .refused else {
                throw .forbidden("origin", "Pages of this origin may not ask here: see --allow-origin.")
            }
            let target = try GatewayTarget(path: request.rawPath, query: request.rawQuery)
            if request.method == "OPTIONS", case .allowed = origin, let methods = GatewayRoutes.methods(of: target) {
                return .now(finish(exchange, CrossOriginRule.preflight(methods: methods)))
            }
            let call = try GatewayRoutes.call(method: request.method, target: target)
            return .later { await self.answer(exchange, call) }
        } catch {
            return .now(refuse(exchange, error))
        }
    }

    /// The answer to a request whose body is larger than any that is read.
    func tooLarge(_ request: HTTPServerRequest) -> HTTPServerResponse {
        refuse(Exchange(request: request, id: TrackingID.random()), .tooLarge, closing: true)
    }

    /// A request on its way.
    private struct Exchange: Sendable {
        let request: HTTPServerRequest
        /// Names it in the log and to its client.
        let id: String
        let began = ContinuousClock.now
        var call: GatewayCall?
        var user: GatewayUser?
        /// The result of the work, for the audit.
        var answer: GatewayService.Answer?
    }

    private func answer(_ exchange: Exchange, _ call: GatewayCall) async -> HTTPServerResponse {
        var exchange = exchange
        exchange.call = call
        do throws(GatewayRefusal) {
            let user = try await signIn(exchange.request)
            exchange.user = user
            try limits.count(user, now: .now)
            let answer = try await service.perform(call, exchange.request, for: user, id: exchange.id)
            exchange.answer = answer
            if call.isAudited { note(exchange, status: answer.response.status) }
            return finish(exchange, answer.response)
        } catch {
            return refuse(exchange, error)
        }
    }

    private func signIn(_ request: HTTPServerRequest) async throws(GatewayRefusal) -> GatewayUser {
        guard let authorization = request.first(named: "Authorization") else { throw .unauthorized }
        for authenticator in authenticators {
            switch await authenticator.authenticate(authorization, now: .now()) {
            case nil: continue
            case .user(let user): return user
            case .refused(let reason):
                limits.countWrongSignIn(request.client, now: .now)
                var refusal = GatewayRefusal.unauthorized
                refusal.detail = reason
                throw refusal
            case .throttled(let pause): throw .tooMany("sign_in_rate", after: pause)
            case .overloaded: throw .unavailable("sign_in_busy", "Too many sign in at once: try again.")
            }
        }
        var refusal = GatewayRefusal.unauthorized
        refusal.detail = "unknown_scheme"
        throw refusal
    }

    private func health(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        guard request.rawPath == "/livez" || request.rawPath == "/readyz" else { return nil }
        guard request.method == "GET" || request.method == "HEAD" else {
            return GatewayRefusal(405, "method", "This address takes GET only.", allow: "GET, HEAD").response
        }
        return .text(request.rawPath == "/livez" ? "alive\n" : "ready\n")
    }

    private func refuse(
        _ exchange: Exchange,
        _ refusal: GatewayRefusal,
        closing: Bool = false
    ) -> HTTPServerResponse {
        note(exchange, status: refusal.status, refusal)
        metrics.refused(refusal.label)
        var response = refusal.response
        if refusal.status == 401 {
            for challenge in challenges { response.headers.append(("WWW-Authenticate", challenge)) }
        }
        if closing { response.headers.append(("Connection", "close")) }
        return finish(exchange, response)
    }

    private func note(_ exchange: Exchange, status: Int, _ refusal: GatewayRefusal? = nil) {
        audit.note(
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

    /// Counts an answer, and adds what every one carries.
    private func finish(_ exchange: Exchange, _ response: HTTPServerResponse) -> HTTPServerResponse {
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
    /// Whether the log tells of it when all went well: of changes and sends.
    fileprivate var isAudited: Bool {
        switch self {
        case .readInstallation, .readOutcome, .readNotification: false
        default: true
        }
    }
}
