import HTTPTransport
import NotificationHubsCore
import Signing
import Timestamps

/// The dialect of a back end with installations, which have a template, unlike native registrations.
struct InstallationDialect: RegistrationDialect {
    let gateway: NewsGateway
    let server = "the back end"
    let usesTemplates = true
    let registersWithoutCategories = true

    var place: RegistrationPlace { gateway.place(of: "installation") }
    var takeover: GatewayDialect? { GatewayDialect(gateway: gateway) }
    var transport: any HTTPTransport { gateway.transport }

    func authorization(now: Timestamp) async throws(SubscriptionError) -> String {
        try await gateway.authorization()
    }

    /// The id is derived from the user and the device, so that an app whose storage was lost writes the same installation
    /// again instead of a second one. Neither can be derived from the id.
    func newID(for wanted: WantedRegistration) -> NewRegistrationID {
        let channel = wanted.description.channel
        let device = [channel.platform.rawValue, channel.handle]
        let bytes = RegistrationPlace.bytes(of: ["installation", gateway.user] + device)
        let digits = Array("0123456789abcdef".utf8)
        let text = SHA256Digest.hash(of: bytes).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return .chosen(String(decoding: text, as: UTF8.self))
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

    func isGone(_ response: HTTPResponse) -> Bool { gateway.isGone(response) }

    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        NewsGateway.error(for: response, now: now)
    }

    private func url(_ id: String) -> String {
        gateway.url + "/api/installations/" + PercentEncoding.encode(id, uppercase: true)
    }
}
