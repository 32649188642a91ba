import HTTPTransport
import NotificationHubsCore
import StrictJSON
import Timestamps

/// Registers through the back end in the tutorial's two steps: an id for the handle, then the device under that id.
struct GatewayDialect: RegistrationDialect {
    let gateway: NewsGateway
    let server = "the back end"
    let usesTemplates = false
    let registersWithoutCategories = true

    var place: String { WantedRegistration.digest(of: ["register", gateway.url, gateway.user]) }
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

    /// A JSON string: the id in quotes.
    func id(in response: HTTPResponse) -> String? {
        (try? JSONReader.read(response.body, maximumDepth: 2))?.string.flatMap { RegistrationID.isSound($0) ? $0 : nil }
    }

    /// The back end refuses an id that is somebody else's by now, as it does one that is gone.
    func isGone(_ status: Int) -> Bool { status == 410 || status == 404 || status == 403 }

    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        NewsGateway.error(for: response, now: now)
    }

    private func url(_ id: String) -> String {
        gateway.url + "/api/register/" + PercentEncoding.encode(id, uppercase: true)
    }
}
