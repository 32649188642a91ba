import HTTPServer
import HTTPTransport
import Locks
import NotificationHubs
import Timestamps

/// A hub on this machine: takes the requests of real clients, verifies them, remembers what it accepted.
///
/// ``answer(_:)`` is the whole hub without a network; ``start()`` puts it behind a server.
package final class HubEmulator: Sendable {
    struct State {
        var hub: EmulatedHub
        var waiters = SendWaiters()
    }

    /// Who may do what: as configured, or the two made at the start.
    package let rules: [AccessRule]
    let configuration: HubEmulatorConfiguration
    private let routes: Routes
    let state: Locked<State>
    let server = Locked<HTTPServer?>(nil)

    /// Makes a hub that does not listen yet.
    ///
    /// - Parameter configuration: How it is set up.
    package init(_ configuration: HubEmulatorConfiguration = HubEmulatorConfiguration()) {
        let rules = configuration.rules.isEmpty ? AccessRule.defaults() : configuration.rules
        self.rules = rules
        self.configuration = configuration
        self.routes = Routes(hubName: configuration.hubName)
        self.state = Locked(State(hub: EmulatedHub(configuration, rules: rules, now: configuration.clock())))
    }

    /// The answer to a request, without a network.
    ///
    /// - Parameter request: As it came in.
    /// - Returns: Of whatever status.
    package func answer(_ request: EmulatedRequest) -> EmulatedAnswer {
        let now = configuration.clock()
        let target = RequestTarget(request.target)
        let route = routes.route(method: request.method, target: target)
        if case .inspection(let segments) = route {
            return state.withLock { state in
                EmulatedAnswer(
                    response: Inspection.answer(request, segments: segments, target: target, hub: &state.hub, now: now)
                )
            }
        }
        if case .console(let file) = route { return EmulatedAnswer(response: file.answer(to: request)) }
        let (call, work) = prepare(request, route: route, target: target)
        let (answer, awakened) = state.withLock { state in
            let answer = state.hub.answer(call, work: work, now: now)
            return (answer, state.waiters.takeReady(last: state.hub.log.last))
        }
        for continuation in awakened { continuation.resume() }
        return answer
    }

    /// Looks at all that needs no state, so that the lock is not held over it.
    private func prepare(
        _ request: EmulatedRequest,
        route: Route,
        target: RequestTarget
    ) -> (HubCall, Result<HubWork, HubFailure>) {
        var claim: Claim?
        if case .operation(let operation) = route { claim = operation.claim }
        var version = APIVersion.newest
        let work: Result<HubWork, HubFailure>
        do throws(HubFailure) {
            version = try APIVersion.check(target)
            work = .success(try read(request, route: route))
        } catch {
            work = .failure(error)
        }
        let call = HubCall(
            request: request,
            target: target,
            host: target.host ?? request.headers["Host"] ?? configuration.host,
            hubName: configuration.hubName,
            apiVersion: version,
            claim: claim
        )
        return (call, work)
    }

    private func read(_ request: EmulatedRequest, route: Route) throws(HubFailure) -> HubWork {
        switch route {
        case .operation(.send(let kind, let isTest)):
            return .send(try SendReader.read(request, kind: kind, isTest: isTest, tier: configuration.tier))
        case .operation, .inspection, .console: throw .notEmulated
        case .wrongMethod: throw .wrongMethod
        case .otherHub, .unknown: throw .noService
        }
    }
}
