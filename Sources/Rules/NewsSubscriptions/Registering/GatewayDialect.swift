import NewsflashHTTPTransport
import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubsCore

/// The dialect of a back end with the tutorial's two steps: an id for the handle, then the device under that id.
struct GatewayDialect: RegistrationDialect {
    let gateway: NewsGateway
    let server = "the back end"
    let usesTemplates = false
    let registersWithoutCategories = true

    var place: RegistrationPlace { gateway.place(of: "register") }
    var takeover: GatewayDialect? { self }
    var transport: any HTTPTransport { gateway.transport }

    func authorization(now: Timestamp) async throws(SubscriptionError) -> String {
        try await gateway.authorization()
    }

    func newID(for wanted: WantedRegistration) -> NewRegistrationID {
        let handle = PercentEncoding.encode(wanted.description.channel.handle, uppercase: true)
        return .request(HTTPRequest(method: .post, url: gateway.url + "/api/register?handle=" + handle))
    }

    func put(_ wanted: WantedRegistration, id: String) -> HTTPRequest {
        var body = JSONWriter(reservingCapacity: 256)
        body.beginObject()
        body.member("Platform", wanted.description.channel.platform.rawValue)
        body.member("Handle", wanted.description.channel.handle)
        body.member("Tags", wanted.description.tags.map(\.description))
        body.endObject()
        var request = HTTPRequest(method: .put, url: url(id), body: body.bytes)
        request.headers.append("Content-Type", "application/json")
        return request
    }

    func delete(id: String) -> HTTPRequest {
        HTTPRequest(method: .delete, url: url(id))
    }

    /// Reads a JSON string: the id in quotes.
    func id(in response: HTTPResponse) -> String? {
        (try? JSONReader.read(response.body, maximumDepth: 2))?.string.flatMap { RegistrationID.isSound($0) ? $0 : nil }
    }

    func isGone(_ response: HTTPResponse) -> Bool { gateway.isGone(response) }

    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        NewsGateway.error(for: response, now: now)
    }

    private func url(_ id: String) -> String {
        gateway.url + "/api/register/" + PercentEncoding.encode(id, uppercase: true)
    }
}

extension NewsGateway {
    /// The place of the user's registrations of one kind.
    func place(of kind: String) -> RegistrationPlace {
        RegistrationPlace(kind: kind, url: url, user: user)
    }

    /// Whether a response to a write means that the id is no longer valid: it was dropped, or belongs to another user.
    ///
    /// Other responses with 403, such as for a reserved tag, would be the same for a new id.
    func isGone(_ response: HTTPResponse) -> Bool {
        switch response.status {
        case 404, 410: true
        case 403: (try? JSONReader.read(response.body, maximumDepth: 8))?[member: "error"]?.string == "foreign"
        default: false
        }
    }
}

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
    /// again instead of a second one. Neither can be derived from the id. A Firebase registration token has the id of its
    /// installation ID.
    func newID(for wanted: WantedRegistration) -> NewRegistrationID {
        let channel = wanted.description.channel
        let device = [channel.platform.rawValue, channel.firebaseInstallationID ?? channel.handle]
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
