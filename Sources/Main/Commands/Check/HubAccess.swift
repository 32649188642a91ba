import NotificationHubs

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
                "correct hubs.….name, or the endpoint in \(key)"
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
        let (code, fault): (CheckFact.Code, CheckFact.Fault) =
            switch reply.label {
            case "cannot_resolve": (.nameUnknown, .unreachable)
            case "cannot_connect": (.portClosed, .unreachable)
            case "tls_failed": (.tlsFailed, .refused)
            default: (.noAnswer, .unreachable)
            }
        let remedy = code == .tlsFailed ? "; set the file in delivery.caFile" : ""
        return .problem(fault, .hub, hub, code, reply.detail + remedy)
    }
}
