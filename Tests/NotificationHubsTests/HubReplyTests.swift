import NewsflashHTTPTransport
import NewsflashHubRecordings
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HubReplyTests {
    @Test(arguments: statuses)
    func `the meaning of a status is recognized`(
        status: Int,
        retryAfter: String?,
        verdict: HubReply.Verdict,
        mayHaveBeenAccepted: Bool
    ) {
        var headers: HTTPHeaders = []
        if let retryAfter { headers.append("Retry-After", retryAfter) }
        let reply = HubClient.reply(to: .success(HTTPResponse(status: status, headers: headers)), now: now)
        #expect(reply.verdict == verdict)
        #expect(reply.mayHaveBeenAccepted == mayHaveBeenAccepted)
        #expect(reply.status == status)
        #expect(reply.label == verdict.label)
    }

    @Test(arguments: failures)
    func `a request that was never sent is distinguished from one that may have arrived`(
        code: HTTPTransportError.Code,
        mayHaveBeenReceived: Bool,
        verdict: HubReply.Verdict
    ) {
        let error = HTTPTransportError(code, "no luck with sig=hush", mayHaveBeenReceived: mayHaveBeenReceived)
        let reply = HubClient.reply(to: .failure(error), now: now)
        #expect(reply.verdict == verdict)
        #expect(reply.mayHaveBeenAccepted == mayHaveBeenReceived)
        #expect(reply.label == code.rawValue)
        #expect(reply.status == nil)
        #expect(reply.detail == "no luck with sig=<redacted>")
    }

    @Test(arguments: bodies)
    func `the text is extracted from any body`(body: String, detail: String, trackingID: String?) {
        let reply = HubClient.reply(to: .success(HTTPResponse(status: 401, body: Array(body.utf8))), now: now)
        #expect(reply.detail == detail)
        #expect(reply.trackingID == trackingID)
    }

    @Test func `the text has a maximum length, and any bytes are accepted`() {
        let endless = [UInt8](repeating: 0xFF, count: 100_000)
        let reply = HubClient.reply(to: .success(HTTPResponse(status: 400, body: endless)), now: now)
        #expect(reply.detail == "100000 bytes of text without known phrases of the hub, not shown")
    }

    @Test(arguments: echoes)
    func `no word of a request that an answer repeats is shown`(body: String, detail: String) {
        let headers: HTTPHeaders = [
            .init("TrackingId", "Zebra escapes"), .init("x-ms-correlation-request-id", "Zebra escapes"),
        ]
        let response = HTTPResponse(status: 400, headers: headers, body: Array(body.utf8))
        let reply = HubClient.reply(to: .success(response), now: now)
        #expect(reply.detail == detail)
        #expect(!reply.description.contains("ebra"))
        #expect(!reply.description.contains("hush"))
        #expect(reply.correlationID == nil)
    }

    @Test func `an answer with the same words over and over needs little time and memory`() {
        let body = Array(String(repeating: "SubCode=12345 SubCode=SubCode=9 The The quota of ", count: 100).utf8)
        let reply = HubClient.reply(to: .success(HTTPResponse(status: 500, body: body)), now: now)
        #expect(reply.detail == "SubCode=12345 SubCode=9 The quota of")
    }

    @Test(
        arguments: [
            ("https://n.servicebus.windows.net/b/messages/NH-1-06?api-version=2020-06", "NH-1-06"),
            ("https://n.servicebus.windows.net/b/messages/$batch/b75-16?api-version=2017-04&direct", "b75-16"),
            ("/b/messages/x", "x"), ("https://h/b/messages/", nil), ("https://h", nil), ("", nil), ("x", nil),
        ] as [(String, String?)]
    )
    func `the last part of the location is the id`(location: String, id: String?) {
        let response = HTTPResponse(status: 201, headers: [.init("location", location)])
        #expect(HubClient.reply(to: .success(response), now: now).notificationID == id)
    }

    @Test(
        .needsRecordings,
        arguments: [
            ("SendNotificationAsync_SendTemplate", "cec4b172178f48e9a801f7d2ebbaa471-20181107001833-33331921-12"),
            (
                "SendNotificationAsync_SendAppleNativeNotification_ByUserId",
                "4995f50796f046d6a61aa7580af3c9c7-20200723042844-586152-24"
            ),
            (
                "SendNotificationAsync_SendAppleNativeNotification_Get",
                "73622a22797441e4b434e8c2c14112ce-20181107001834-33331921-18"
            ),
            ("SendNotificationAsync_SendWindows", "4651c1ec2b614f14bfec41c62ca000b1-20181107001828-33331921-15"),
            (
                "SendDirectNotificationAsync_SendDirectAppleBatch",
                "b755f9e4bb0844c8a2881986777aadb0-20181107001827-33331921-16"
            ),
            (
                "SendDirectNotificationAsync_SendDirectAppleNotification",
                "bbda719328ee45ce9c52e4f089232ece-20181107001828-33331921-12"
            ),
        ]
    )
    func `the recorded acceptances are parsed`(test: String, id: String) throws {
        let recording = try #require(HubRecording.dotnet(test).first)
        let reply = HubClient.reply(to: .success(recording.response), now: now)
        #expect(reply.verdict == .accepted)
        #expect(reply.notificationID == id)
        #expect(reply.detail.isEmpty)
    }

    @Test(.needsRecordings)
    func `the recorded ids of requests are parsed`() throws {
        let reply = HubClient.reply(to: .success(try HubRecording.javaScriptSend().response), now: now)
        #expect(reply.notificationID == "NH-20221214202418813-ab928c8e2345432a8881dd2bbdc2661d-06")
        #expect(reply.trackingID == "b8f81ad8-275d-4ce1-a71f-276abf2efdb4")
        #expect(reply.correlationID == "ea8a9a86-1ef0-4d2e-a72a-e311ecb65e19")
    }

    @Test(.needsRecordings)
    func `the recorded refusals are parsed`() throws {
        let listenOnly = try #require(HubRecording.dotnet("SendDirectNotificationAsync_ListenOnly").first)
        let forbidden = HubClient.reply(to: .success(listenOnly.response), now: now)
        #expect(forbidden.verdict == .forbidden)
        #expect(forbidden.trackingID == "c0f4869e-6b6e-49bd-804a-c28cf17d929a")
        let wrongKey = try #require(HubRecording.dotnet("ManagementApi_FailsWithAuthorization").first)
        let unauthorized = HubClient.reply(to: .success(wrongKey.response), now: now)
        #expect(unauthorized.verdict == .unauthorized)
        #expect(unauthorized.detail == "InvalidSignature: The token has an invalid signature.")
        #expect(unauthorized.trackingID == "7f195ef5-b950-46ab-bdaa-e07cd5a203cf_G19")
    }
}

extension HubRecording {
    var response: HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            body: Array(body.utf8)
        )
    }
}

private let now = Timestamp(seconds: 784_111_777)

private let statuses: [(Int, String?, HubReply.Verdict, Bool)] = [
    (200, nil, .accepted, true), (201, nil, .accepted, true), (202, nil, .accepted, true),
    (400, nil, .refused, false), (413, nil, .refused, false), (415, nil, .refused, false),
    (401, nil, .unauthorized, false), (407, nil, .unauthorized, false),
    (403, nil, .forbidden, false),
    (403, "5", .throttled(after: .seconds(5)), false),
    (403, "Sun, 06 Nov 1994 08:49:47 GMT", .throttled(after: .seconds(10)), false),
    (403, "soon", .throttled(after: nil), false),
    (429, nil, .throttled(after: nil), false),
    (429, "0", .throttled(after: .zero), false),
    (429, "Sun, 06 Nov 1994 08:49:27 GMT", .throttled(after: .zero), false),
    (404, nil, .notFound, false), (301, nil, .notFound, false), (405, nil, .notFound, false),
    (410, nil, .gone, false),
    (408, nil, .unavailable, true), (500, nil, .unavailable, true), (502, nil, .unavailable, true),
    (503, "2", .unavailable, true), (504, nil, .unavailable, true), (501, nil, .unavailable, false),
    (409, nil, .unavailable, false), (100, nil, .unavailable, false),
]

private let failures: [(HTTPTransportError.Code, Bool, HubReply.Verdict)] = [
    (.cannotResolve, false, .unavailable), (.cannotConnect, false, .unavailable), (.tlsFailed, false, .unavailable),
    (.timedOut, true, .unknown), (.timedOut, false, .unavailable), (.connectionLost, true, .unknown),
    (.responseTooLarge, true, .unknown), (.cancelled, true, .unknown), (.cancelled, false, .notSent),
    (.notSentInTime, false, .notSent),
    (.invalidRequest, false, .refused), (.other, true, .unknown),
]

private let bodies: [(String, String, String?)] = [
    ("", "", nil),
    (
        "<Error><Code>401</Code><Detail>ExpiredToken: ..TrackingId:7f19-b9_G19,TimeStamp:7/2/2020 6:33:21 PM</Detail></Error>",
        "ExpiredToken", "7f19-b9_G19"
    ),
    (
        "<Error><Code>409</Code><Detail>SubCode=40900. Conflict.TrackingId:7f19-b9_G19</Detail></Error>",
        "SubCode=40900", "7f19-b9_G19"
    ),
    (
        "<Error><Detail>The supplied notification payload is invalid.", "The supplied notification payload is invalid.",
        nil
    ),
    ("<Error><Code>404</Code><Detail>.TrackingId:7f19-b9_G19</Detail></Error>", "", "7f19-b9_G19"),
    ("<Error><Detail>.TrackingId:</Detail></Error>", unshown(44, "XML"), nil),
    ("  plain\r\n\ttext\u{0}here ", unshown(20, "text"), nil),
    (#"{"error":"no"}"#, unshown(14, "JSON"), nil),
    ("\n<!DOCTYPE html><title>Oh no</title>", unshown(36, "HTML"), nil),
    ("<html><h1>502 Bad Gateway</h1>\r\n<hr>nginx/1.25</html>", "502 Bad Gateway nginx", nil),
]

private func unshown(_ count: Int, _ form: String) -> String {
    "\(count) bytes of \(form) without known phrases of the hub, not shown"
}

/// Answers that contain our own request.
private let echoes: [(String, String)] = [
    (#"{"headline_en":"Zebra escapes","summary_en":"Sources: zebras"}"#, unshown(62, "JSON")),
    (
        #"<Error><Code>400</Code><Detail>The supplied notification payload is invalid.: {"headline_en":"Zebra escapes"}"#
            + ".TrackingId:7f19-b9_G19,TimeStamp:7/2/2020 6:33:21 PM</Detail></Error>",
        "The supplied notification payload is invalid."
    ),
    (
        "<html><title>403 Forbidden</title><pre>POST /newsroom/messages\nAuthorization: SharedAccessSignature sig=hush"
            + "\n\n{&quot;headline&quot;:&quot;Zebra escapes&quot;}</pre></html>",
        "403 Forbidden"
    ),
    ("An invalid tag 'Zebras' was supplied.", "An invalid tag"),
    ("TrackingId:zebra SharedAccessKey=hush", unshown(37, "text")),
    ("Zebra escapes", unshown(13, "text")),
    ("The zebra quota of SubCode=zebra", unshown(32, "text")),
]
