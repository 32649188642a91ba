import NewsflashHTTPTransport
import NewsflashHubRecordings
import NewsflashStrictXML
import Testing

@Suite("facts of the service's answers", .timeLimit(.minutes(1)))
struct ServiceFactTests {
    @Test(arguments: ServiceFacts.answers.map(\.id))
    func `the emulator answers as the service is known to answer`(id: String) throws {
        let fact = try #require(ServiceFacts.answers.first { $0.id == id })
        let asked = try FactRequests().answers(for: fact)
        #expect(!asked.isEmpty, "no request of this test leads to it")
        for answer in asked {
            let differences = fact.differences(from: ToldAnswer(answer))
            #expect(differences.isEmpty, "\n\(differences.joined(separator: "\n"))")
        }
    }

    @Test(arguments: ServiceFacts.registrations)
    func `the emulator writes the elements of a registration in the known order`(pattern: String) throws {
        let shape = DocumentShape(pattern)
        let desk = try Desk()
        let answer = desk.device("POST", "registrations", body: FactRequests.registration(shape))
        #expect(answer.status == 200, "\(answer.text)")
        let description = try XMLReader.read(answer.body).first("content")?.elements.first
        // A repeatable element is written once.
        #expect(description.map { DocumentShape(of: $0).description } == shape.whole.description)
    }

    @Test(.needsRecordings)
    func `the tables of facts agree with the recordings`() throws {
        var told: Set<String> = []
        for name in HubSession.names {
            for step in try SessionScript(HubSession(named: name)).steps {
                let operation = step.request.operation
                let fact = ServiceFacts.answers.first {
                    $0.operation == operation && $0.status == step.recording.status
                }
                // The replayed sessions cover operations that are in no table.
                guard let fact else { continue }
                told.insert(fact.id)
                let differences = fact.differences(from: ToldAnswer(step.recording))
                #expect(differences.isEmpty, "\(name): \(operation)\n\(differences.joined(separator: "\n"))")
            }
        }
        let untold = ServiceFacts.answers.map(\.id).filter { !told.contains($0) }
        #expect(untold.isEmpty, "no recording contains \(untold)")
    }

    @Test(arguments: [
        ("a(b c)", "a(b c)", true), ("a(b c)", "a(c b)", false), ("a(b? c)", "a(c)", true), ("a(b c*)", "a(b)", true),
        ("a(b* c)", "a(b b c)", true), ("a(b? c)", "a(b b c)", false), ("a(b)", "a(b c)", false),
        ("a(b(c))", "a(b)", false),
        ("a", "b", false), ("a(b c?)", "a", false),
    ])
    func `a pattern allows the shapes that it describes and no others`(pattern: String, shape: String, isAllowed: Bool)
    {
        #expect(DocumentShape(pattern).allows(DocumentShape(shape)) == isAllowed)
        #expect(DocumentShape(pattern).description == pattern)
    }
}

extension ServiceFact {
    /// Identifies the fact.
    fileprivate var id: String { "\(operation) \(status)" }
}

extension ScriptedRequest {
    /// The operation of the request, as in the tables.
    var operation: String {
        let target = RecordedTarget(target)
        guard !target.collection.isEmpty else { return "\(method) hub" }
        let isTagged = target.segments.first?.lowercased() == "tags"
        var name = "\(method) \(isTagged ? "tags/" : "")\(target.collection)"
        if let id = target.id { name += id == "$batch" ? "/$batch" : "/id" }
        return target.hasParameter("direct") ? name + "?direct" : name
    }
}

/// Sends an emulator the requests of the tables.
private struct FactRequests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    /// All answers that a fact describes; several if several requests lead to it.
    func answers(for fact: ServiceFact) -> [HTTPResponse] {
        let wrongKey: HTTPHeaders = [.init("Authorization", desk.token(key: "another"))]
        let hub = "/Breaking-News?api-version=2020-06"
        switch (fact.operation, fact.status) {
        case ("POST registrationids", _): return [desk.device("POST", "registrationids")]
        case ("POST registrations", _): return registrations().map { desk.device("POST", "registrations", body: $0) }
        case ("PUT registrations/id", _):
            return registrations().map { desk.device("PUT", "registrations/1-2-3", body: $0) }
        case ("GET registrations/id", 404): return [desk.device("GET", "registrations/1-2-3")]
        case ("DELETE registrations/id", _):
            _ = desk.device("PUT", "registrations/1-2-3", body: registrations()[0])
            return [desk.device("DELETE", "registrations/1-2-3", headers: [.init("If-Match", "*")])]
        case ("GET registrations", _):
            let empty = desk.device("GET", "registrations?$top=100")
            for body in registrations() { _ = desk.device("POST", "registrations", body: body) }
            return [empty, desk.device("GET", "registrations?$top=100"), desk.device("GET", "registrations?$top=1")]
        case ("GET tags/registrations", _):
            _ = desk.device("POST", "registrations", body: registrations()[0])
            return [desk.device("GET", "tags/a/registrations")]
        case ("PUT installations/id", _): return [desk.install("i"), desk.install("i")]
        case ("PATCH installations/id", _):
            desk.install("i")
            let patch = #"[{"op":"add","path":"/tags","value":"t"}]"#
            return [desk.device("PATCH", "installations/i", body: patch)]
        case ("DELETE installations/id", _):
            desk.install("i")
            return [desk.device("DELETE", "installations/i")]
        case ("GET installations/id", 404): return [desk.device("GET", "installations/none")]
        case ("GET installations/id", _):
            desk.install("i", tags: ["a"], user: "u")
            return [desk.device("GET", "installations/i")]
        case ("POST messages", _): return [desk.send(), desk.send(tags: "a && !b")]
        case ("POST messages?direct", let status):
            var headers: HTTPHeaders = [.init("ServiceBusNotification-DeviceHandle", "AB")]
            if status == 403 { headers.append("Authorization", desk.token(policy: "Listen Only")) }
            return [desk.post("/Breaking-News/messages?api-version=2020-06&direct", headers: headers, format: "apple")]
        case ("POST messages/$batch?direct", _):
            let parts = [("notification", "{}"), ("devices", #"["AB"]"#)].map { name, body in
                "--b\r\nContent-Disposition: inline; name=\(name)\r\n\r\n\(body)\r\n"
            }
            let type = HTTPHeaders.Field("Content-Type", "multipart/mixed; boundary=b")
            return [
                desk.post(
                    "/Breaking-News/messages/$batch?api-version=2020-06&direct",
                    headers: [type],
                    body: parts.joined() + "--b--",
                    format: "apple"
                )
            ]
        case ("POST schedulednotifications", _):
            let time = HTTPHeaders.Field("ServiceBusNotification-ScheduleTime", "2026-01-01T00:00:00")
            return [desk.post("/Breaking-News/schedulednotifications?api-version=2020-06", headers: [time])]
        case ("PUT hub", 201):
            return [desk.post("/other?api-version=2020-06", method: "PUT", headers: [root], body: "", format: nil)]
        case (let operation, 401):
            let method = String(operation.prefix { $0 != " " })
            return [desk.post(hub, method: method, headers: wrongKey, body: "", format: nil)]
        default: return []
        }
    }

    private var root: HTTPHeaders.Field { .init("Authorization", desk.token(url: "http://127.0.0.1:8080/")) }

    private func registrations() -> [String] {
        ServiceFacts.registrations.map { Self.registration(DocumentShape($0)) }
    }

    /// The request that creates a registration with all elements of its kind.
    static func registration(_ shape: DocumentShape) -> String {
        let own = shape.children.filter { !["ETag", "ExpirationTime", "RegistrationId"].contains($0.name) }
        let kind = shape.name
        return """
            <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><\(kind) \
            xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
            \(own.map { element($0, of: kind) }.joined())</\(kind)></content></entry>
            """
    }

    private static func element(_ shape: DocumentShape, of kind: String) -> String {
        let text =
            switch shape.name {
            case "Tags": "a,b"
            case "PushVariables": #"{"a":"b"}"#
            case "DeviceToken": "00FC13ADFF785122"
            case "ChannelUri": "https://some.url/"
            case "BodyTemplate" where kind.hasPrefix("Windows"): "<![CDATA[<toast/>]]>"
            case "BodyTemplate": "<![CDATA[{\"data\":{\"a\":\"$(b)\"}}]]>"
            case "Expiry": "0"
            case "Header": kind.hasPrefix("Windows") ? "X-WNS-Type" : "apns-priority"
            case "Value": kind.hasPrefix("Windows") ? "wns/toast" : "5"
            default: shape.children.isEmpty ? "x" : shape.children.map { element($0, of: kind) }.joined()
            }
        return "<\(shape.name)>\(text)</\(shape.name)>"
    }
}
