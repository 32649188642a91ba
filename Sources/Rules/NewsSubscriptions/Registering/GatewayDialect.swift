import HTTPTransport
import NotificationHubsCore
import StrictJSON
import Timestamps

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
