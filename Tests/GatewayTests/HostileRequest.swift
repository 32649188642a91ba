/// A malicious request, and the expected answer.
struct HostileRequest: Sendable {
    let name: String
    let method: String
    /// The target; `ID` stands for the id of a registration of anna's.
    let target: String
    var user: String? = "bob"
    var authorization: String?
    var fields: [String] = []
    var body: String?
    var type = "application/json"
    let status: Int

    /// Returns the bytes of the request.
    ///
    /// - Parameter id: The id of a registration of anna's.
    /// - Returns: The bytes on the wire.
    func wire(id: String) -> String {
        var lines = ["\(method) \(target.replacing("ID", with: id)) HTTP/1.1", "Connection: close"]
        if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.append("Host: gateway") }
        if let authorization {
            lines.append("Authorization: \(authorization)")
        } else if let user {
            lines.append("Authorization: \(GatewayRig.basic(user))")
        }
        lines += fields
        if let body {
            lines.append("Content-Type: \(type)")
            let hasLength = fields.contains {
                $0.lowercased().hasPrefix("content-length:") || $0.lowercased().hasPrefix("transfer-encoding:")
            }
            if !hasLength { lines.append("Content-Length: \(body.utf8.count)") }
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}

extension HostileRequest {
    private static let registration = #"{"Platform":"apns","Handle":"5EC2E7AA","Tags":[]}"#

    private static func put(_ name: String, _ body: String, _ status: Int, path: String = "/api/register/9-9-1") -> Self
    {
        HostileRequest(name: name, method: "PUT", target: path, body: body, status: status)
    }

    private static func tags(_ name: String, _ tag: String, _ status: Int) -> Self {
        put(name, #"{"Platform":"apns","Handle":"5EC2E7AA","Tags":["\#(tag)"]}"#, status)
    }

    private static func notify(_ name: String, _ query: String, body: String = #""secret words""#, _ status: Int)
        -> Self
    {
        HostileRequest(name: name, method: "POST", target: "/api/notifications?\(query)", body: body, status: status)
    }

    private static func get(_ name: String, _ target: String, _ status: Int, fields: [String] = []) -> Self {
        HostileRequest(name: name, method: "GET", target: target, fields: fields, status: status)
    }

    private static func signIn(_ name: String, _ authorization: String?, _ status: Int) -> Self {
        HostileRequest(
            name: name,
            method: "GET",
            target: "/api/installations/p",
            user: nil,
            authorization: authorization,
            status: status
        )
    }

    /// All malicious requests.
    static let all: [HostileRequest] =
        ownership + tagsAndNames + paths + bodies + signIns + framing

    private static let ownership: [HostileRequest] = [
        put("another's registration is written", registration, 403, path: "/api/register/ID"),
        HostileRequest(name: "another's is deleted", method: "DELETE", target: "/api/register/ID", status: 403),
        put(
            "a user id of another's",
            #"{"platform":"apns","pushChannel":"AA","userId":"anna"}"#,
            403,
            path: "/api/installations/p"
        ),
        put(
            "a user tag in an installation",
            #"{"platform":"apns","pushChannel":"AA","tags":["username:anna"]}"#,
            403,
            path: "/api/installations/p"
        ),
        put(
            "a user tag in a template",
            #"{"platform":"apns","pushChannel":"AA","templates":{"t":{"body":"{}","tags":["username:anna"]}}}"#,
            403,
            path: "/api/installations/p"
        ),
        notify("a test to another's devices", "pns=apns&to_tag=anna&test=true", 403),
    ]

    private static let tagsAndNames: [HostileRequest] = [
        tags("the tag of another user", "username:anna", 403),
        tags("the tag of a user in another case", "UserName:anna", 403),
        tags("the tag of a user, escaped", #"\u0075sername:anna"#, 403),
        tags("a tag of the hub's", "$UserId:{anna}", 403),
        tags("the tag of probes", "newsflash-probe", 403),
        tags("two tags in one", "Sports,username:anna", 400),
        tags("an expression for a tag", "Sports || username:anna", 400),
        tags("a line break in a tag", #"Sports\r\nX-Injected: 1"#, 400),
        notify("an expression for a user", "pns=apns&to_tag=anna%20%7C%7C%20username%3Abob", 400),
        notify("everybody for a user", "pns=apns&to_tag=!nobody", 400),
        notify("a line break in a user", "pns=apns&to_tag=anna%0D%0AX-Injected:1", 400),
        notify("no user", "pns=apns&to_tag=", 400),
        notify("two users", "pns=apns&to_tag=bob&to_tag=anna", 400),
        notify("an unknown platform", "pns=template&to_tag=anna", 400),
        notify("a text with controls", "pns=wns&to_tag=anna", body: #""a\u0000b""#, 400),
        notify("a text that turns around", "pns=wns&to_tag=anna", body: #""a\u202Eb""#, 400),
        HostileRequest(
            name: "a filter in a handle",
            method: "POST",
            target: "/api/register?handle=a'%20or%20'1'%20eq%20'1",
            status: 400
        ),
    ]

    private static let paths: [HostileRequest] = [
        get("dots in a path", "/api/installations/..", 400),
        get("escaped dots in a path", "/api/%2e%2e/livez", 400),
        get("a slash in an id", "/api/installations/a%2Fb", 400),
        get("two slashes", "/api//installations/p", 404),
        get("a NUL in an id", "/api/installations/p%00", 400),
        get("a broken escape", "/api/installations/%zz", 400),
        get("an overlong UTF-8 slash", "/api/installations/%C0%AF", 400),
        get("a backslash", "/api\\installations\\p", 400),
        get("a long path", "/api/installations/" + String(repeating: "a", count: 1100), 414),
        get("nothing there", "/api/users", 404),
        HostileRequest(name: "an unknown method", method: "TRACE", target: "/api/register", status: 405),
        HostileRequest(name: "another method", method: "GET", target: "/api/register", status: 405),
    ]

    private static let bodies: [HostileRequest] = [
        put("no JSON", "{", 400), put("members twice", #"{"Platform":"apns","Platform":"gcm"}"#, 400),
        put("members twice in another case", #"{"Platform":"apns","platform":"gcm","Handle":"AA"}"#, 400),
        put("another type", #"{"Platform":1,"Handle":"AA"}"#, 400),
        put("deep JSON", String(repeating: "[", count: 4000), 400),
        put("a handle with a quote", #"{"Platform":"gcm","Handle":"a' or 1 eq 1"}"#, 400),
        put("XML in a handle", #"{"Platform":"gcm","Handle":"<x/>"}"#, 400),
        put(
            "a large registration",
            #"{"Platform":"gcm","Handle":""# + String(repeating: "a", count: 20_000) + #""}"#,
            413
        ),
        HostileRequest(
            name: "a body larger than any",
            method: "PUT",
            target: "/api/register/9-9-1",
            fields: ["Content-Length: 99999999"],
            body: "",
            status: 413
        ),
        HostileRequest(
            name: "a form of another site's",
            method: "POST",
            target: "/api/notifications",
            body: "a=b",
            type: "text/plain",
            status: 415
        ),
        HostileRequest(
            name: "a page of another site's",
            method: "POST",
            target: "/api/notifications",
            fields: ["Origin: https://evil.example"],
            status: 403
        ),
        HostileRequest(
            name: "a packed body",
            method: "PUT",
            target: "/api/register/9-9-1",
            fields: ["Content-Encoding: gzip"],
            body: registration,
            status: 415
        ),
    ]

    private static let signIns: [HostileRequest] = [
        signIn("nobody", nil, 401), signIn("a wrong password", GatewayRig.basic("bob", "wonderland-1"), 401),
        signIn("a name that nobody has", GatewayRig.basic("mallory", "wonderland-1"), 401),
        signIn("a name that is an expression", GatewayRig.basic("bob || anna", "x"), 401),
        signIn("no base 64", "Basic ***", 401), signIn("no colon", "Basic Ym9i", 401),
        signIn("another scheme", "Digest username=\"bob\"", 401),
        // {"alg":"none"}.{"sub":"anna","exp":9999999999}.
        signIn(
            "a token without signature",
            "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIiwiZXhwIjo5OTk5OTk5OTk5fQ.",
            401
        ),
        // The same with {"alg":"HS512"}.
        signIn(
            "a token of another algorithm",
            "Bearer eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhbm5hIiwiZXhwIjo5OTk5OTk5OTk5fQ.AAAA",
            401
        ),
    ]

    private static let framing: [HostileRequest] = [
        get("two hosts", "/api/installations/p", 400, fields: ["Host: a", "Host: b"]),
        get("two credentials", "/api/installations/p", 400, fields: ["Authorization: \(GatewayRig.basic("anna"))"]),
        HostileRequest(
            name: "two lengths",
            method: "PUT",
            target: "/api/register/9-9-1",
            fields: ["Content-Length: 5", "Transfer-Encoding: chunked"],
            body: "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
            status: 400
        ),
        HostileRequest(
            name: "many fields",
            method: "GET",
            target: "/api/installations/p",
            fields: (0..<80).map { "X-\($0): 1" },
            status: 431
        ),
    ]
}
