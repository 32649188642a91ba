import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs

/// Checks whether a hub would accept sends, using requests that it refuses: nobody receives anything.
struct HubCheckup: Sendable {
    let hub: HubSettings
    let transport: CurlTransport
    /// A tag that no device has.
    let nobody: TagExpression
    /// The tolerated difference of the clocks.
    let clockSkew: Duration
    /// Whether a gateway uses the same key.
    let servesGateway: Bool
    /// Returns the current time.
    let clock: @Sendable () -> Timestamp

    /// Checks the hub.
    ///
    /// - Returns: Facts about the hub's address, key and clock, and about the rights that a gateway needs.
    func facts() async -> [CheckFact] {
        guard let credentials = hub.credentials else {
            return [.problem(.configuration, .hub, hub.label, .secretUnreadable, hub.missingCredentials)]
        }
        let client: HubClient
        do {
            client = try HubClient(connection: try credentials.read(), hub: hub.name, clock: clock)
        } catch {
            return [.problem(.configuration, .hub, hub.label, .secretUnreadable, "\(error)")]
        }
        let beginning = clock()
        let (reply, date) = await ask(client.sendProbe(to: nobody))
        let took = clock() - beginning
        var facts = [HubAccess(hub: hub.label, url: client.hubURL, key: credentials.description).fact(of: reply)]
        if let date {
            // The hub's date has whole seconds, and is from some moment between request and response.
            let middle = beginning + took / 2
            facts.append(
                ClockSkew(hub: hub.label, tolerance: clockSkew).fact(ours: middle, theirs: date, within: took)
            )
        }
        guard servesGateway, facts[0].status == .ok else { return facts }
        for (claim, request, yes) in [("Listen", client.listenProbe(), 404), ("Manage", client.manageProbe(), 200)] {
            let (reply, _) = await ask(request)
            facts.append(gatewayFact(claim, reply, isAllowed: reply.status == yes || reply.verdict == .accepted))
        }
        return facts
    }

    private func gatewayFact(_ claim: String, _ reply: HubReply, isAllowed: Bool) -> CheckFact {
        if isAllowed { return .ok(.gateway, hub.label, "the key has the claim \(claim)") }
        let why = "the key lacks the claim \(claim), or it could not be checked (\(reply))"
        let remedy = "'newsflash gateway' needs a policy with Listen, Send and Manage; the worker does not"
        return .advice(.gateway, hub.label, .claimMissing, "\(why): \(remedy)")
    }

    private func ask(_ request: HTTPRequest) async -> (HubReply, Timestamp?) {
        let result: Result<HTTPResponse, HTTPTransportError>
        do throws(HTTPTransportError) {
            result = .success(try await transport.send(request))
        } catch {
            result = .failure(error)
        }
        let date = (try? result.get())?.headers["Date"].flatMap { Timestamp(httpDate: $0) }
        return (HubClient.reply(to: result, now: clock()), date)
    }
}

/// Compares our clock with the hub's.
struct ClockSkew: Sendable {
    let hub: String
    /// The minimum difference at which correctly timed events are refused.
    let tolerance: Duration

    /// The minimum difference worth reporting: embargoes, quiet hours and event lifetimes depend on our clock.
    private static let remarkable = Duration.seconds(5)

    /// Returns a fact about the difference of the clocks.
    ///
    /// - Parameters:
    ///   - ours: Our clock in the middle of the request.
    ///   - theirs: The date of the response, in whole seconds.
    ///   - roundTrip: The duration of the request, which limits the precision of the comparison.
    /// - Returns: The fact.
    func fact(ours: Timestamp, theirs: Timestamp, within roundTrip: Duration) -> CheckFact {
        // A date truncated to whole seconds is half a second old on average.
        let difference = ours - (theirs + .milliseconds(500))
        let size = difference < .zero ? .zero - difference : difference
        let seconds = (size + .milliseconds(500)).components.seconds
        let uncertainty = roundTrip / 2 + .seconds(1)
        guard size > Self.remarkable + uncertainty else {
            return .ok(.clock, "", "agrees with the clock of hub \(hub)")
        }
        let what =
            "this machine's clock is \(seconds) s \(difference < .zero ? "behind" : "ahead of") the clock of hub \(hub)"
        let remedy = "synchronise the time (NTP): embargoes, quiet hours and event lifetimes depend on it"
        guard size > tolerance else { return .advice(.clock, "", .clockSkew, "\(what): \(remedy)") }
        return .problem(.refused, .clock, "", .clockSkew, "\(what), more than policy.clockSkew: \(remedy)")
    }
}

/// Interprets a hub's response to a send without a body.
struct HubAccess: Sendable {
    let hub: String
    /// The URL, without credentials.
    let url: String
    /// The source of the connection string.
    let key: String

    /// Interprets the response.
    ///
    /// - Parameter reply: The response to a request that the hub refuses even if everything else is right.
    /// - Returns: The fact, with what to do.
    func fact(of reply: HubReply) -> CheckFact {
        guard let status = reply.status else { return unreached(reply) }
        switch reply.verdict {
        case .refused where status == 400:
            return .ok(.hub, hub, "\(url) responds; the key is valid and has the claim Send. Nothing was sent")
        case .accepted:
            return .ok(.hub, hub, "\(url) responds, and accepted an empty message to a tag that no device has")
        case .unauthorized:
            return problem(
                .keyRefused,
                reply,
                "the key was rejected",
                "put the connection string of a policy of this hub into \(key), and check this machine's clock"
            )
        case .forbidden:
            return problem(
                .claimMissing,
                reply,
                "the key is valid but lacks the claim Send",
                "give its policy the claim Send, or put another policy's connection string into \(key)"
            )
        case .notFound, .gone:
            return problem(
                .hubMissing,
                reply,
                "no such hub exists at \(url)",
                "correct hubs.\(hub).name, or the endpoint in \(key)"
            )
        case .throttled:
            let message = "is throttling (\(status)), so key and claim cannot be checked: try again in a minute"
            return .advice(.hub, hub, .throttled, message)
        case .refused, .unavailable, .notSent, .unknown:
            let message = "\(url) is not working (\(reply)): try again later, and check the status page of the service"
            return .problem(.unreachable, .hub, hub, .unavailable, message)
        }
    }

    private func problem(_ code: CheckFact.Code, _ reply: HubReply, _ what: String, _ remedy: String) -> CheckFact {
        let detail = reply.detail.isEmpty ? "" : ", \(reply.detail)"
        return .problem(.refused, .hub, hub, code, "\(what) (\(reply.status ?? 0)\(detail)): \(remedy)")
    }

    /// Returns the transport's own message, which contains the host and the remedy.
    private func unreached(_ reply: HubReply) -> CheckFact {
        let (code, kind): (CheckFact.Code, CheckFact.ProblemKind) =
            switch reply.label {
            case "cannot_resolve": (.nameUnknown, .unreachable)
            case "cannot_connect": (.portClosed, .unreachable)
            case "tls_failed": (.tlsFailed, .refused)
            default: (.noAnswer, .unreachable)
            }
        let remedy = code == .tlsFailed ? "; set the file in delivery.caFile" : ""
        return .problem(kind, .hub, hub, code, reply.detail + remedy)
    }
}
