import NewsflashHTTPTransport
import NewsflashHubEmulator

/// Batches that the service refuses; section 3.9.
extension MalformedRequest {
    private static let noMultipart = "Could not find a part of the multipart content supplied."
    private static let multipart = "multipart/mixed; boundary=b"

    private static func part(_ name: String, _ content: String) -> String {
        "--b\r\nContent-Type: application/json\r\nContent-Disposition: inline; name=\(name)\r\n\r\n\(content)\r\n"
    }

    private static func batch(
        _ what: String,
        type: String? = multipart,
        format: String = "apple",
        notification: String = "{}",
        devices: String = #"["AB"]"#,
        body: String? = nil,
        status: Int = 400,
        tier: HubTier = .standard,
        _ text: String
    ) -> MalformedRequest {
        var request = MalformedRequest(
            what: "a batch " + what,
            status: status,
            text: text,
            path: "messages/$batch?direct"
        )
        request.headers.append(Header.format(format))
        if let type { request.headers.append(Header.type(type)) }
        request.body = Array((body ?? part("notification", notification) + part("devices", devices) + "--b--\r\n").utf8)
        request.tier = tier
        return request
    }

    static let batches = [
        batch("without a content type", type: nil, noMultipart),
        batch("of JSON", type: "application/json", noMultipart),
        batch("without a boundary", type: "multipart/mixed", noMultipart),
        batch("with an empty boundary", type: "multipart/mixed; boundary=\"\"", noMultipart),
        batch("with another boundary", type: "multipart/mixed; boundary=c", noMultipart),
        batch("without a body", body: "", noMultipart),
        batch("without devices", body: part("notification", "{}") + "--b--\r\n", noMultipart),
        batch("without a notification", body: part("devices", #"["AB"]"#) + "--b--\r\n", noMultipart),
        batch(
            "that ends within a part",
            body: part("notification", "{}") + part("devices", #"["AB"]"#).dropLast(4),
            noMultipart
        ),
        batch(
            "whose parts have no empty line",
            body: "--b\r\nContent-Disposition: inline; name=notification\r\n--b--\r\n",
            noMultipart
        ),
        batch("whose devices are not JSON", devices: "h", noMultipart),
        batch("whose devices are an object", devices: "{}", noMultipart),
        batch("without a handle", devices: "[]", "A batch has 1 to 1000 device handles."),
        batch("with an empty handle", devices: #"["AB",""]"#, "A batch has 1 to 1000 device handles."),
        batch("with a number for a handle", devices: "[1]", "A batch has 1 to 1000 device handles."),
        batch(
            "of 1001 handles",
            devices: "[" + (0...1000).map { "\"h\($0)\"" }.joined(separator: ",") + "]",
            "A batch has 1 to 1000 device handles."
        ), batch("with an empty notification", notification: "", "The supplied notification payload is invalid."),
        batch("whose notification is not JSON", notification: "x", "The supplied notification payload is invalid."),
        batch(
            "of more than 64 KB",
            notification: String(repeating: " ", count: 65_537),
            status: 413,
            "The request entity is too large"
        ),
        batch(
            "with a handle that is not one of Apple",
            devices: #"["AB","h"]"#,
            "Device token is either empty OR it has odd number of nibbles."
        ), batch("of a template", format: "template", "A direct send has no template registrations"),
        batch("on the free tier", status: 403, tier: .free, "This operation is not available for your tier"),
    ]
}
