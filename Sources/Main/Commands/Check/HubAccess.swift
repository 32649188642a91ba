import NotificationHubs

/// What a hub's answer to a send without a body says of our access to it.
struct HubAccess: Sendable {
    let hub: String
    /// Without credentials.
    let url: String
    /// Where the connection string is.
    let key: String

    /// Reads the answer.
    ///
    /// - Parameter reply: To a request that is refused where all else is right.
    /// - Returns: The fact, with what to do.
    func fact(of reply: HubReply) -> CheckFact {
        guard let status = reply.status else { return unreached(reply) }
        switch reply.verdict {
        case .refused where status == 400:
            return .ok(.hub, hub, "\(url) answers; the key is right and may Send. Nothing was sent")
        case .accepted:
            return .ok(.hub, hub, "\(url) answers and took a message without words to a tag that no device has")
        case .unauthorized:
            return problem(
                .keyRefused,
                reply,
                "the key is refused",
                "put the connection string of a policy of this hub into \(key), and see that this machine's clock is right"
            )
        case .forbidden:
            return problem(
                .claimMissing,
                reply,
                "the key is right and may not Send",
                "give its policy the claim Send, or put another policy's connection string into \(key)"
            )
        case .notFound, .gone:
            return problem(
                .hubMissing,
                reply,
                "there is no such hub at \(url)",
                "mend hubs.….name, or the endpoint in \(key)"
            )
        case .throttled:
            let message = "throttles at this moment (\(status)), so key and claim cannot be told: try again in a minute"
            return .advice(.hub, hub, .throttled, message)
        case .refused, .unavailable, .notSent, .unknown:
            let message = "\(url) is out of order (\(reply)): try again later, and see the status page of the service"
            return .problem(.unreachable, .hub, hub, .unavailable, message)
        }
    }

    private func problem(_ code: CheckFact.Code, _ reply: HubReply, _ what: String, _ remedy: String) -> CheckFact {
        let detail = reply.detail.isEmpty ? "" : ", \(reply.detail)"
        return .problem(.refused, .hub, hub, code, "\(what) (\(reply.status ?? 0)\(detail)): \(remedy)")
    }

    /// The transport's own words name the host and the remedy.
    private func unreached(_ reply: HubReply) -> CheckFact {
        let (code, fault): (CheckFact.Code, CheckFact.Fault) =
            switch reply.label {
            case "cannot_resolve": (.nameUnknown, .unreachable)
            case "cannot_connect": (.portClosed, .unreachable)
            case "tls_failed": (.tlsFailed, .refused)
            default: (.noAnswer, .unreachable)
            }
        let remedy = code == .tlsFailed ? "; delivery.caFile names the file" : ""
        return .problem(fault, .hub, hub, code, reply.detail + remedy)
    }
}
