import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubsCore

/// The dialect of the hub itself, with a key that has only the right Listen.
struct HubDialect: RegistrationDialect {
    private static let apiVersion = "2020-06"
    /// Policies with full access, which every namespace has.
    private static let fullAccess = ["DefaultFullSharedAccessSignature", "RootManageSharedAccessKey"]

    let place: RegistrationPlace
    let server = "the hub"
    var takeover: GatewayDialect? { nil }
    let transport: any HTTPTransport
    let usesTemplates = true
    let registersWithoutCategories = false
    private let hubURL: String
    private let tokens: TokenSource

    init(connection text: String, hub: String, transport: any HTTPTransport) throws(SubscriptionError) {
        let connection: HubConnectionString
        do throws(HubValueError) {
            connection = try HubConnectionString(text)
        } catch {
            throw SubscriptionError(.invalidValue, error.message)
        }
        guard !Self.fullAccess.contains(connection.keyName) else {
            throw SubscriptionError(
                .invalidValue,
                "the connection string contains the full-access key \(connection.keyName), which anybody can extract "
                    + "from an app: use DefaultListenSharedAccessSignature, and regenerate the key if it was shipped"
            )
        }
        guard HubName.isValid(hub) else {
            throw SubscriptionError(
                .invalidValue,
                "a hub's name must have 1 to 260 letters, digits and . - _"
            )
        }
        hubURL = connection.endpoint.url + "/" + hub
        place = RegistrationPlace(kind: "hub", url: hubURL.lowercased(), user: nil)
        tokens = TokenSource(hubURL: hubURL, keyName: connection.keyName, key: connection.key, life: .seconds(3600))
        self.transport = transport
    }

    func authorization(now: Timestamp) async throws(SubscriptionError) -> String {
        tokens.field(now: now)["Authorization"] ?? ""
    }

    /// The requests for the device's registrations by its handle, as in Microsoft's SDKs; for a Firebase registration token also
    /// by its installation ID. A Listen key may send them, because only the device has its handle
    /// (https://learn.microsoft.com/rest/api/notificationhubs/read-all-registrations-channel).
    func lookups(for wanted: WantedRegistration) -> [HTTPRequest] {
        let channel = wanted.description.channel
        let id = channel.firebaseInstallationID.flatMap { $0 == channel.handle ? nil : $0 }
        return ([channel.handle] + [id].compactMap(\.self)).map { handle in
            let handle = handle.replacing("'", with: "''")
            var request = request(.get, "/registrations/")
            request.url += "&$filter=" + PercentEncoding.encode("ChannelUri eq '\(handle)'", uppercase: true)
            return request
        }
    }

    /// The texts of the elements `RegistrationId` in a feed.
    func ids(in response: HTTPResponse) -> [String] {
        String(decoding: response.body, as: UTF8.self).split(separator: "<RegistrationId>").dropFirst()
            .map { String($0.prefix { $0 != "<" }) }.filter(RegistrationID.isSound)
    }

    func newID(for wanted: WantedRegistration) -> NewRegistrationID {
        .request(request(.post, "/registrationids/"))
    }

    func put(_ wanted: WantedRegistration, id: String) throws(SubscriptionError) -> HTTPRequest {
        var request = request(.put, registration(id))
        request.headers.append("Content-Type", "application/atom+xml;type=entry;charset=utf-8")
        do throws(HubValueError) {
            request.body = try RegistrationXML.request(wanted.description)
        } catch {
            throw SubscriptionError(.invalidValue, "the hub would not accept this device: \(error.message)")
        }
        return request
    }

    func delete(id: String) -> HTTPRequest {
        var request = request(.delete, registration(id))
        request.headers.append("If-Match", "*")
        return request
    }

    /// The last step of the path in `Location:
    /// https://…/registrationids/7260336227650468927-4200236381151834034-1?api-version=…`.
    func id(in response: HTTPResponse) -> String? {
        guard let location = response.headers["Location"] ?? response.headers["Content-Location"] else { return nil }
        let path = location.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(String.init).flatMap { RegistrationID.isSound($0) ? $0 : nil }
    }

    func isGone(_ response: HTTPResponse) -> Bool { response.status == 410 || response.status == 404 }

    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        let status = response.status
        switch status {
        case 401:
            // The next attempt needs a new token, because the clock may have been wrong when this one was signed.
            tokens.renew()
            return SubscriptionError(
                .keyRefused,
                "the hub rejects the key (401): check the Listen connection string and the device's clock"
            )
        case 403:
            return SubscriptionError(
                .forbidden,
                "the hub rejects the request (403): the key lacks the right Listen, or the hub's quota is used up"
            )
        case 404:
            return SubscriptionError(.notFound, "the hub does not exist (404): check its name and the namespace")
        case 410:
            return SubscriptionError(
                .gone,
                "the hub dropped the registration twice (410): try again later",
                isRetriable: true
            )
        default: return SubscriptionError(response, of: "the hub", now: now)
        }
    }

    private func registration(_ id: String) -> String {
        "/registrations/" + PercentEncoding.encode(id, uppercase: true)
    }

    private func request(_ method: HTTPMethod, _ path: String) -> HTTPRequest {
        HTTPRequest(method: method, url: "\(hubURL)\(path)?api-version=\(Self.apiVersion)")
    }
}
