import NewsflashHTTPTransport
import NewsflashHubEmulator
import NotificationHubs

/// A client that sends requests to a hub in an SDK's dialect.
struct SDKClient {
    let dialect: SDKDialect
    let desk: Desk
    private static let host = "127.0.0.1:8080"
    static let hub = "Breaking-News"
    static let policy = "All Rights"

    init(_ dialect: SDKDialect) throws {
        self.dialect = dialect
        self.desk = try Desk {
            $0.rules = [AccessRule(name: Self.policy, key: SharedAccessKey("full key"), claims: Set(Claim.allCases))]
        }
    }

    /// Sends a request and returns the answer. The path is relative to the hub and in the common spelling, such as
    /// `registrations/1`; the query has all parameters except the version, already encoded.
    func ask(
        _ method: String,
        _ path: String,
        query: [String] = [],
        headers: HTTPHeaders = [],
        body: [UInt8] = []
    ) -> HTTPResponse {
        desk.hub.answer(request(method, path, query: query, headers: headers, body: body)).response
    }

    /// The request as the SDK writes it.
    func request(
        _ method: String,
        _ path: String,
        query: [String] = [],
        headers: HTTPHeaders = [],
        body: [UInt8] = [],
        host: String = Self.host
    ) -> EmulatedRequest {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        let first = dialect.paths[parts[0]] ?? parts[0]
        let rest = parts.count > 1 ? (first.hasSuffix("/") ? "" : "/") + parts[1] : ""
        let fullPath = "/\(Self.hub)/\(first)\(rest)"
        let version = "api-version=\(dialect.apiVersion)"
        let parameters = dialect.putsFlagsFirst ? query + [version] : [version] + query
        let fullQuery = "?" + parameters.joined(separator: "&")
        var all = headers
        for (name, value) in dialect.headers { all.append(name, value) }
        if !body.isEmpty, let encoding = dialect.contentEncoding { all.append("Content-Encoding", encoding) }
        all.append("Host", host)
        all.append(
            "Authorization",
            dialect.signer.header(
                host: host,
                hub: Self.hub,
                path: fullPath,
                query: fullQuery,
                policy: Self.policy,
                key: SharedAccessKey("full key")
            )
        )
        let target = (dialect.hasAbsoluteTargets ? "https://\(host)" : "") + fullPath + fullQuery
        return EmulatedRequest(method: method, target: target, headers: all, body: body)
    }

    /// Writes a registration: an upsert if there is an id, otherwise a new registration.
    func register(
        _ elements: [String: String],
        kind: String = "AppleTemplate",
        id: String? = nil,
        ifMatch etag: Int? = nil
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [.init("Content-Type", dialect.entryType)]
        if let etag { headers.append("If-Match", dialect.etag(etag)) }
        return ask(
            id == nil ? "POST" : "PUT",
            "registrations" + (id.map { "/" + $0 } ?? ""),
            headers: headers,
            body: Array(entry(elements, kind: kind + "RegistrationDescription").utf8)
        )
    }

    func send(
        _ body: String,
        format: String,
        to path: String = "messages",
        flags: [String] = [],
        headers: HTTPHeaders = [],
        type: String? = nil
    ) -> HTTPResponse {
        var headers = headers
        headers.append("ServiceBusNotification-Format", format)
        headers.append("Content-Type", type ?? dialect.jsonType)
        return ask("POST", path, query: flags.map { dialect.flag($0) }, headers: headers, body: Array(body.utf8))
    }

    /// The document of a registration.
    func entry(_ elements: [String: String], kind: String) -> String {
        let connect = "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\""
        let instance = "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
        let order = dialect.templateOrder + elements.keys.sorted().filter { !dialect.templateOrder.contains($0) }
        let content = order.compactMap { name in elements[name].map { "<\(name)>\($0)</\(name)>" } }.joined()
        let (root, type) = dialect.hasConcreteRoots ? (kind, "") : ("RegistrationDescription", " i:type=\"\(kind)\"")
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"\(dialect.contentType)\"><\(root) \(instance)\(type) \(connect)>\(content)</\(root)></content></entry>"
    }
}
