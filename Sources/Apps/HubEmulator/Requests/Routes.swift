import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// An operation of the hub's REST API.
enum HubOperation: Equatable {
    case send(SendKind, isTest: Bool)
    case telemetry(id: String)
    case scheduleSend
    case cancelScheduledSend(id: String)
    case createRegistrationID
    case createRegistration
    case listRegistrations(byHandle: Bool)
    case registration(id: String)
    case listTagged(tag: String)
    case installation(id: String)
    case feedbackContainer
    case jobs
    case job(id: String)
    case hub
    case listHubs

    /// Whether the operation concerns the contents of a hub, not hubs themselves.
    var isOfHub: Bool {
        switch self {
        case .hub, .listHubs: false
        default: true
        }
    }

    /// The maximum size of a body in bytes, according to the service's REST pages: 64 KB. A batch has no limit of its own,
    /// because its up to 1000 handles do not count.
    var maximumBodyBytes: Int {
        if case .send(.batch, _) = self { .max } else { HubMessage.maximumBytes }
    }

    /// The claim that the policy must have.
    var claim: Claim {
        switch self {
        case .send, .telemetry, .scheduleSend, .cancelScheduledSend: .send
        case .createRegistrationID, .createRegistration, .registration, .installation: .listen
        case .listRegistrations(let byHandle): byHandle ? .listen : .manage
        case .listTagged, .feedbackContainer, .jobs, .job, .hub, .listHubs: .manage
        }
    }
}

/// The target type of a send, as given by its URL.
package enum SendKind: String, Sendable {
    /// A tag expression, or all devices.
    case tags
    /// One handle.
    case direct
    /// Up to 1000 handles.
    case batch
}

/// The destination of a request.
enum Route: Equatable {
    case operation(HubOperation)
    /// A path below `/_emulator`, which is not part of the hub; for tests and people.
    case inspection(segments: [String])
    /// A file of the console; see ``ConsoleFiles``.
    case console(ConsoleFile)
    case wrongMethod(allow: [String])
    case unknown
}

/// Finds the operation of a request. Segments and flags are case-insensitive.
enum Routes {
    static func route(method: String, target: RequestTarget) -> Route {
        let segments = target.segments.map { $0.lowercased() }
        if segments.first == "_emulator" { return .inspection(segments: Array(segments.dropFirst())) }
        // The root is also the namespace's list of hubs: clients of the list send an API version, browsers do not.
        if ["GET", "HEAD"].contains(method), !target.hasFlag("api-version"),
            let file = ConsoleFiles.file(at: target.path)
        {
            return .console(file)
        }
        // Ids are case-sensitive.
        let last = target.segments.last ?? ""
        func when(_ methods: String..., give operation: HubOperation) -> Route {
            methods.contains(method) ? .operation(operation) : .wrongMethod(allow: methods)
        }
        let isTest = target.hasFlag("test")
        switch (segments.count, segments.dropFirst().first) {
        case (0, _): return when("GET", give: .listHubs)
        case (2, "notificationhubs") where segments[0] == "$resources": return when("GET", give: .listHubs)
        case (1, _): return when("GET", "PUT", "DELETE", give: .hub)
        case (2, "messages"):
            return when("POST", give: .send(target.hasFlag("direct") ? .direct : .tags, isTest: isTest))
        case (3, "messages") where segments[2] == "$batch":
            return when("POST", give: .send(.batch, isTest: isTest))
        case (3, "messages"): return when("GET", give: .telemetry(id: last))
        case (2, "schedulednotifications"): return when("POST", give: .scheduleSend)
        case (3, "schedulednotifications"): return when("DELETE", give: .cancelScheduledSend(id: last))
        case (2, "registrationids"): return when("POST", give: .createRegistrationID)
        case (2, "registrations"):
            let list = HubOperation.listRegistrations(byHandle: target.hasFlag("$filter"))
            return when("GET", "POST", give: method == "POST" ? .createRegistration : list)
        case (3, "registrations"): return when("GET", "PUT", "DELETE", give: .registration(id: last))
        case (4, "tags") where segments[3] == "registrations":
            return when("GET", give: .listTagged(tag: target.segments[2]))
        case (3, "installations"): return when("GET", "PUT", "PATCH", "DELETE", give: .installation(id: last))
        case (2, "feedbackcontainer"): return when("GET", give: .feedbackContainer)
        case (2, "jobs"): return when("GET", "POST", give: .jobs)
        case (3, "jobs"): return when("GET", give: .job(id: last))
        default: return .unknown
        }
    }
}

/// The versions of the REST API.
enum APIVersion {
    static let known: Set<String> = [
        "2012-03", "2012-08", "2013-04", "2013-07", "2013-08", "2013-10", "2014-01", "2014-05", "2014-08", "2014-09",
        "2015-01", "2015-04", "2015-08", "2016-03", "2016-07", "2017-04", "2020-06",
    ]
    static let newest = "2020-06"

    /// Checks the version of a request; requests of the first years had none.
    static func check(_ target: RequestTarget) throws(HubFailure) -> String {
        guard let version = target.value(of: "api-version") else { return newest }
        guard known.contains(version) else {
            throw HubFailure(
                400,
                "The api-version '\(version.prefix(40))' in the query string is not supported. Either remove it from "
                    + "the Uri or use one of '\(known.sorted().joined(separator: ","))'"
            )
        }
        return version
    }
}

/// A parsed request target: path segments are decoded, query names are in lower case.
struct RequestTarget {
    /// The host if the target is an absolute URL (as sent by the Python sample), otherwise `nil`.
    private(set) var host: String?
    /// The path as sent, without the query.
    let path: String
    /// The decoded path segments; a trailing slash adds none.
    let segments: [String]
    /// The query as sent, without the question mark; empty if there is none.
    let rawQuery: String
    private let query: [(name: String, value: String)]

    init(_ target: String) {
        var rest = target.utf8[...]
        if rest.first != UInt8(ascii: "/"), let end = Self.endOfScheme(target) {
            let authority = rest[end...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            self.host = String(Substring(authority))
            rest = rest[authority.endIndex...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        self.path = String(Substring(path))
        self.segments = path.split(separator: UInt8(ascii: "/")).map { Self.decoded($0) }
        self.rawQuery = String(Substring(rest[path.endIndex...].dropFirst()))
        self.query = rest[path.endIndex...].dropFirst().split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (Self.decoded(name).lowercased(), String(Substring(pair[name.endIndex...].dropFirst())))
        }
    }

    private static func endOfScheme(_ target: String) -> String.Index? {
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            return target.utf8.index(target.startIndex, offsetBy: scheme.utf8.count)
        }
        return nil
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        let text = Substring(text)
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return PercentEncoding.decode(text) ?? String(text)
    }

    /// The names in the query, decoded and in lower case.
    var queryNames: [String] { query.map(\.name) }

    /// Whether the query contains a flag. Clients write `direct`, `direct=true` and `direct&…`, all with the same meaning.
    func hasFlag(_ name: String) -> Bool {
        query.contains { $0.name == name }
    }

    /// The first value of a query parameter, with a plus for a space as in forms; .NET and Java encode filters this way.
    func formValue(of name: String) -> String? {
        query.first { $0.name == name }.map { pair in
            let value = String(decoding: pair.value.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
            return PercentEncoding.decode(value) ?? value
        }
    }

    /// All decoded values of a query parameter.
    func values(of name: String) -> [String] {
        query.filter { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }

    /// The first decoded value of a query parameter.
    func value(of name: String) -> String? {
        query.first { $0.name == name }.map { PercentEncoding.decode($0.value) ?? $0.value }
    }
}

/// The ids that the service assigns to a request.
struct RequestNames {
    let trackingID: String
    let correlationID: String
    let gateway: Int

    init(using generator: inout SeededRandom) {
        self.trackingID = TrackingID.random(using: &generator)
        self.correlationID = TrackingID.random(using: &generator)
        self.gateway = Int(generator.next() % 32)
    }

    /// Reads the ids of an existing response.
    init(_ headers: HTTPHeaders) {
        self.trackingID = headers["TrackingId"] ?? ""
        self.correlationID = headers["x-ms-correlation-request-id"] ?? ""
        self.gateway = 0
    }

    /// The headers of every response.
    var headers: HTTPHeaders {
        [
            .init("Server", "newsflash-hub-emulator"),
            .init("TrackingId", trackingID),
            .init("x-ms-correlation-request-id", correlationID),
        ]
    }
}
