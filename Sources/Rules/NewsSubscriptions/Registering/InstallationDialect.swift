import HTTPTransport
import NotificationHubsCore
import Timestamps

/// Registers through the back end as an installation, which has the template that native registrations lack.
struct InstallationDialect: RegistrationDialect {
    let gateway: NewsGateway
    let server = "the back end"
    let usesTemplates = true
    let registersWithoutCategories = true

    var place: String { WantedRegistration.digest(of: ["installation", gateway.url, gateway.user]) }
    var transport: any HTTPTransport { gateway.transport }

    func authorization(now: Timestamp) async throws(SubscriptionError) -> String {
        try await gateway.authorization()
    }

    /// Random, since one user's devices and those of others share the hub.
    func newID(for wanted: WantedRegistration) -> NewRegistrationID {
        let halves = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
        return .chosen(halves.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined())
    }

    func put(_ wanted: WantedRegistration, id: String) -> HTTPRequest {
        let description = wanted.description
        let templates = description.template.map { template in
            [
                InstallationTemplate(
                    name: template.name ?? "news",
                    body: template.body,
                    headers: template.headers,
                    expiry: template.expiry
                )
            ]
        }
        let installation = Installation(
            id: id,
            channel: description.channel,
            tags: description.tags,
            templates: templates ?? []
        )
        var request = HTTPRequest(method: .put, url: url(id), body: InstallationJSON.write(installation))
        request.headers.append("Content-Type", "application/json")
        return request
    }

    func delete(id: String) -> HTTPRequest {
        HTTPRequest(method: .delete, url: url(id))
    }

    func id(in response: HTTPResponse) -> String? { nil }

    func isGone(_ status: Int) -> Bool { status == 410 || status == 404 || status == 403 }

    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        NewsGateway.error(for: response, now: now)
    }

    private func url(_ id: String) -> String {
        gateway.url + "/api/installations/" + PercentEncoding.encode(id, uppercase: true)
    }
}
