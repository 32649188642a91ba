import CurlTransport
import HTTPTransport
import NotificationHubs
import Timestamps
import Worker

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
