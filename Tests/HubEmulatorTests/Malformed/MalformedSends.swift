import NewsflashHTTPTransport

/// Sends that the service refuses; sections 3, 5 and 7 of our reference of its REST interface.
extension MalformedRequest {
    private static let invalidPayload = "The supplied notification payload is invalid."
    private static let invalidTag = "An invalid tag '"
    private static let noMultipart = "Could not find a part of the multipart content supplied."

    /// A send that is valid except for the given parts.
    private static func send(
        _ what: String,
        format: String? = "template",
        tags: String? = nil,
        handle: String? = nil,
        query: String = "?api-version=2020-06",
        body: String = #"{"a":"b"}"#,
        bytes: [UInt8]? = nil,
        status: Int = 400,
        _ text: String
    ) -> MalformedRequest {
        var request = MalformedRequest(what: what, status: status, text: text, path: "messages" + query)
        if let format { request.headers.append(Header.format(format)) }
        if let tags { request.headers.append(Header.tags(tags)) }
        if let handle { request.headers.append(Header.handle(handle)) }
        request.body = bytes ?? Array(body.utf8)
        return request
    }

    static let sends: [MalformedRequest] = formats + payloads + tags + expressions + direct

    private static let formats = [
        send("no format", format: nil, "The header ServiceBusNotification-Format is missing."),
        send("an empty format", format: "", "The notification format '' is not supported."),
        send(
            "the format fcm, which only classes are called",
            format: "fcm",
            "The notification format 'fcm' is not supported."
        ),
        send("two formats", format: "apple,fcmv1", "The notification format 'apple,fcmv1' is not supported."),
        send("a format with markup", format: "<b>&", "The notification format '&lt;b&gt;&amp;' is not supported."),
        send("a long format", format: String(repeating: "x", count: 5000), "The notification format 'xxxx"),
    ]

    private static let payloads =
        [
            ("no body", ""), ("half an object", #"{"a":"#), ("an extra comma", #"{"a":"b",}"#), ("an array", "[]"),
            ("null", "null"), ("a text alone", #""a""#), ("a number as value", #"{"a":1}"#),
            ("null as value", #"{"a":null}"#),
            ("an object as value", #"{"a":{"b":"c"}}"#), ("an array as value", #"{"a":["b"]}"#),
            ("one name twice", #"{"a":"b","a":"c"}"#),
            ("single quotes", "{'a':'b'}"), ("two texts", #"{"a":"b"} {}"#),
            ("a line break in a text", "{\"a\":\"b\nc\"}"),
            ("half a surrogate pair", #"{"a":"\ud83d"}"#), ("a comment", #"{"a":"b"/* c */}"#), ("XML", "<a/>"),
            ("brackets without end", String(repeating: "[", count: 50_000)),
        ].map { send("a template message: " + $0.0, body: $0.1, invalidPayload) } + [
            send(
                "a template message in Latin-1",
                bytes: Array(#"{"a":""#.utf8) + [0xE9] + Array(#""}"#.utf8),
                invalidPayload
            ),
            send("a template message with a zero byte", bytes: Array(#"{"a":"b"}"#.utf8) + [0], invalidPayload),
            send(
                "a byte more than 64 KB",
                body: #"{"a":""# + String(repeating: "x", count: 65_537 - 8) + #""}"#,
                status: 413,
                "The request entity is too large"
            ),
            send(
                "a megabyte",
                format: "windows",
                body: String(repeating: "x", count: 1 << 20),
                status: 413,
                "The request entity is too large"
            ),
        ]
        + ["apple", "fcmv1", "gcm", "adm", "browser", "baidu", "xiaomi"].map {
            (format: String) in
            send("a message for \(format) that is not JSON", format: format, body: "<a/>", invalidPayload)
        }
        + ["windows", "windowsphone"].map { (format: String) in
            send("an empty message for \(format)", format: format, body: "", invalidPayload)
        }

    private static let tags =
        [
            "a,b", "a;b", "a/b", "caf\u{e9}?", "a*", "a'b", "a<b", "$InstallationId:abc", "$InstallationId:{}",
            "$UserId:{a b}", "$Other:{a}",
            "{a}", "a|", "a&",
        ].map { (tag: String) in send("the tag \(tag)", tags: tag, "") } + [
            send("a tag of 121 characters", tags: String(repeating: "a", count: 121), ""),
            send(
                "a tag with a comma",
                tags: "a,b",
                invalidTag + "a,b' was supplied. Valid tag characters are alphanumeric, _, @, -, ., : and #."
            ),
            send(
                "an installation's tag without braces",
                tags: "$InstallationId:abc",
                invalidTag + "$InstallationId:abc' was supplied."
            ),
        ]

    private static let expressions =
        [
            "", "  ", "a &&", "&& a", "a b", "(a", "a)", "()", "a & b", "a | b", "a && || b", "!", "a !b", "! (",
            "a || (b && )", "a &&& b",
            "(a) (b)", "\"a\"", String(repeating: "(", count: 4000) + "a",
        ].map { (text: String) in send("the expression \(text.prefix(20))", tags: text, "") } + [
            send(
                "21 tags with || alone",
                tags: (1...21).map { "t\($0)" }.joined(separator: " || "),
                "The tag expression has too many tags: it is limited to 20 tags"
            ),
            send(
                "7 tags with &&",
                tags: (1...7).map { "t\($0)" }.joined(separator: " && "),
                "The tag expression has too many tags"
            ),
            send(
                "7 tags with one !",
                tags: (1...6).map { "t\($0)" }.joined(separator: " || ") + " || !t7",
                "The tag expression has too many tags"
            ),
        ]

    private static let direct = [
        send(
            "a direct send without a handle",
            format: "apple",
            query: "?direct",
            "The header ServiceBusNotification-DeviceHandle is missing."
        ),
        send(
            "a direct send with an empty handle",
            format: "apple",
            handle: "",
            query: "?direct=true",
            "The header ServiceBusNotification-DeviceHandle is missing."
        ),
        send(
            "a direct send of a template",
            handle: "h",
            query: "?direct",
            "A direct send has no template registrations"
        ),
        send(
            "a direct send to a handle that is not one of Apple",
            format: "apple",
            handle: "zz",
            query: "?direct",
            "One or more characters in device token is not a hexadecimal digit."
        ),
        send(
            "a direct send to a Windows channel that is not a URI",
            format: "windows",
            handle: "AB",
            query: "?direct",
            "Channel URI is either null, empty or not absolute value."
        ),
        send(
            "a direct send to a browser without its keys",
            format: "browser",
            handle: "https://push.example.org/1",
            query: "?direct",
            "A direct send to a browser must have the headers P256DH and Auth."
        ),
        send("a direct send without a body", format: "apple", handle: "h", query: "?direct", body: "", invalidPayload),
        send(
            "a direct send of 64 KB and more",
            format: "apple",
            handle: "h",
            query: "?direct",
            body: String(repeating: " ", count: 65_537),
            status: 413,
            "The request entity is too large"
        ),
    ]
}
