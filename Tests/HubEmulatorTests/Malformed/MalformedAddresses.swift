import NewsflashHTTPTransport
import NewsflashHubEmulator

/// Requests with a wrong address, method or token; sections 1, 2 and 8.
extension MalformedRequest {
    private static func ask(
        _ what: String,
        _ method: String,
        _ path: String,
        status: Int,
        signer: Signer = .right,
        _ text: String
    ) -> MalformedRequest {
        var request = MalformedRequest(
            what: what,
            status: status,
            text: text,
            method: method,
            path: path,
            signer: signer
        )
        request.headers.append(Header.format("template"))
        return request
    }

    static let addresses: [MalformedRequest] = paths + methods + versions

    private static let paths = [
        "/Other/messages", "/Breaking-News/nothing", "/Breaking-News/messages/a/b", "/Breaking-News/messages/a/b/c/d",
        "/Breaking-News/%00", "/Breaking-News/%zz", "/Breaking-News/messages%2F", "/Breaking-News/../messages/x/y",
        "/a/b/c/d/e",
        "/Breaking-News/installations", "/Breaking-News/tags/registrations", "/Breaking-News/tags/a/b",
    ].map { ask("the path \($0)", "POST", $0, status: 404, "No service is hosted at the specified address.") }

    private static let methods = [
        ("DELETE", "messages"), ("PUT", "messages"), ("GET", "messages"), ("PATCH", "messages"),
        ("GET", "messages/$batch"),
        ("POST", "messages/NH-1"), ("DELETE", "messages/NH-1"), ("GET", "schedulednotifications"),
        ("GET", "schedulednotifications/x"),
        ("GET", "registrationids"), ("PUT", "registrations"), ("DELETE", "registrations"),
        ("POST", "registrations/1-2-3"),
        ("PATCH", "registrations/1-2-3"), ("POST", "tags/a/registrations"), ("POST", "installations/i"),
        ("POST", "feedbackcontainer"),
        ("DELETE", "jobs"), ("POST", "jobs/1"), ("POST", "/Breaking-News"), ("HEAD", "registrations"),
        ("OPTIONS", "messages"),
        ("TRACE", "messages"), ("BREW", "messages"), ("post", "messages"), ("", "messages"),
    ].map { method, path in
        ask(
            "\(method) \(path)",
            method,
            path,
            status: 405,
            "The specified HTTP method is not supported on this resource."
        )
    }

    private static let versions = [
        "2030-01", "2020-6", "", "2020-06-01", "latest", "%00", String(repeating: "9", count: 3000),
        "2020-06%20or%201=1",
    ].map {
        ask("the api-version \($0.prefix(20))", "POST", "messages?api-version=\($0)", status: 400, "The api-version '")
    }

    static let tokens: [MalformedRequest] =
        [
            ("no token", nil, "MissingToken: "), ("an empty token", "", "MalformedToken: "),
            (
                "another scheme", "Bearer x",
                "MalformedToken: The credentials contained in the authorization header are not in the WRAP format."
            ),
            ("the scheme of the service before", #"WRAP access_token="x""#, "MalformedToken: "),
            ("a scheme alone", "SharedAccessSignature", "MalformedToken: "),
            ("nothing after the scheme", "SharedAccessSignature ", "MalformedToken: "),
            ("no sig", "SharedAccessSignature sr=a&se=1&skn=Full", "MalformedToken: "),
            ("no sr", "SharedAccessSignature sig=a&se=1&skn=Full", "MalformedToken: "),
            ("no se", "SharedAccessSignature sr=a&sig=a&skn=Full", "MalformedToken: "),
            ("no skn", "SharedAccessSignature sr=a&sig=a&se=1", "MalformedToken: "),
            ("an expiry that is not a number", "SharedAccessSignature sr=a&sig=a&se=soon&skn=Full", "MalformedToken: "),
            ("a signature that is not base64", "SharedAccessSignature sr=a&sig=*&se=99999999999&skn=Full", ""),
            (
                "an invented signature",
                "SharedAccessSignature sr=http%3a%2f%2f127.0.0.1&sig=YQ%3d%3d&se=99999999999&skn=Full",
                "InvalidSignature: "
            ),
            (
                "a name ten thousand characters long",
                "SharedAccessSignature sr=a&sig=YQ&se=99999999999&skn=" + String(repeating: "F", count: 10_000),
                "MalformedToken: "
            ),
        ].map { ask("a token: " + $0.0, "POST", "messages", status: 401, signer: .header($0.1), $0.2) } + [
            ask(
                "a token: another key",
                "POST",
                "messages",
                status: 401,
                signer: .token(key: "other"),
                "InvalidSignature: The token has an invalid signature."
            ),
            ask(
                "a token: an unknown policy",
                "POST",
                "messages",
                status: 401,
                signer: .token(policy: "Nobody"),
                "InvalidSignature: The token has an invalid signature."
            ),
            ask(
                "a token: it has expired",
                "POST",
                "messages",
                status: 401,
                signer: .token(life: 0),
                "ExpiredToken: ."
            ),
            ask(
                "a token: for another hub",
                "POST",
                "messages",
                status: 401,
                signer: .token(url: "http://127.0.0.1:8080/other"),
                "InvalidAudience: "
            ),
            ask(
                "a token: for another host",
                "POST",
                "messages",
                status: 401,
                signer: .token(url: "http://hub.example/breaking-news"),
                "InvalidAudience: "
            ),
            ask(
                "a token: for a path below the requested one",
                "POST",
                "messages",
                status: 401,
                signer: .token(url: "http://127.0.0.1:8080/breaking-news/messages/x"),
                "InvalidAudience: "
            ),
            ask(
                "a token: no right to send",
                "POST",
                "messages",
                status: 403,
                signer: .token(policy: "Listen Only"),
                ""
            ),
            ask(
                "a token: no right to lists",
                "GET",
                "registrations",
                status: 403,
                signer: .token(policy: "Listen Only"),
                ""
            ),
            ask(
                "a token: no right to lists by tag",
                "GET",
                "tags/a/registrations",
                status: 403,
                signer: .token(policy: "Listen Only"),
                ""
            ),
            ask(
                "a token: no right to the hub",
                "GET",
                "/Breaking-News",
                status: 401,
                signer: .token(policy: "Listen Only"),
                "Manage claim is required for this operation."
            ),
            ask(
                "a token: no right to delete the hub",
                "DELETE",
                "/Breaking-News",
                status: 401,
                signer: .token(policy: "Listen Only"),
                "Manage claim is required for this operation."
            ),
        ]
}
