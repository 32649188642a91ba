import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashHubRecordings
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SendTests {
    @Test func `a template send is accepted and recorded`() throws {
        let desk = try Desk()
        let message = try HubMessage.template(properties: [("headline", "é")], headers: .apns(pushType: "alert"))
        let response = try desk.send(message, to: .tags(TagExpression(parsing: "world||sports")))
        #expect(response.status == 201)
        #expect(response.body.isEmpty)
        let record = try #require(desk.hub.sends.first)
        #expect(record.sequence == 1)
        #expect(record.time == Desk.now)
        #expect(record.kind == .tags)
        #expect(record.format == .template)
        #expect(record.expression?.description == "world || sports")
        #expect(record.text == #"{"headline":"é"}"#)
        #expect(record.headers == [.init("apns-push-type", "alert")])
        #expect(record.clientTrackingID != nil)
        #expect(record.trackingID == response.headers["TrackingId"])
        let reply = HubClient.reply(to: .success(response), now: Desk.now)
        #expect(reply.notificationID == record.notificationID)
        #expect(desk.hub.stats.accepted == 1)
        #expect(desk.hub.stats.byStatus == [201: 1])
    }

    @Test func `a broadcast is distinguished from a send to tags`() throws {
        let desk = try Desk()
        let response = try desk.send(HubMessage.template(properties: [("a", "b")]), to: .broadcast)
        #expect(response.status == 201)
        #expect(desk.hub.sends.map(\.expression) == [nil])
    }

    @Test func `a direct send is accepted`() throws {
        let desk = try Desk()
        let message = try HubMessage.native(format: .apple, body: Array("{}".utf8))
        #expect(try desk.send(message, to: .device(.apns(deviceToken: "00fc"))).status == 201)
        #expect(desk.hub.sends.map(\.handles) == [["00fc"]])
        #expect(desk.hub.sends.map(\.kind) == [.direct])
    }

    @Test func `a batch of a thousand handles is decoded`() throws {
        let desk = try Desk()
        let message = try HubMessage.native(format: .fcmv1, body: Array(#"{"message":{}}"#.utf8))
        let handles = (0..<1000).map { "\($0)" + String(repeating: "f", count: 160) }
        #expect(try desk.send(message, to: .devices(handles)).status == 201)
        let record = try #require(desk.hub.sends.first)
        #expect(record.kind == .batch)
        #expect(record.handles == handles)
        #expect(record.body == message.body)
    }

    @Test(arguments: [
        ("template", "application/json"), ("template", "Application/JSON ; charset=utf-8"),
        ("apple", "application/json"),
        ("baidu", "application/x-www-form-urlencoded"), ("windows", "application/octet-stream"),
        ("windows", "text/xml;charset=utf-8"), ("windowsphone", "application/xml;charset=utf-8"), ("apple", nil),
    ])
    func `a message without a content type, or with a usual one, is accepted`(format: String, type: String?) throws {
        let headers: HTTPHeaders = type.map { [.init("Content-Type", $0)] } ?? []
        #expect(try Desk().post(headers: headers, format: format).status == 201)
    }

    @Test(arguments: [
        ("template", "text/plain"), ("template", "application/x-www-form-urlencoded"), ("apple", "application/xml"),
        ("apple", ""), ("fcmv1", "multipart/mixed; boundary=b"), ("windows", "text/plain"),
        ("windowsphone", "application/json"),
    ])
    func `a message of another content type is refused`(format: String, type: String) throws {
        let desk = try Desk()
        let answer = desk.post(headers: [.init("Content-Type", type)], format: format)
        #expect(answer.status == 400)
        #expect(answer.text.contains("The content type"))
        #expect(desk.hub.sends.isEmpty)
    }

    @Test(arguments: [
        ("POST", "/Breaking-News/messages/NH-1", "GET"), ("PUT", "/Breaking-News/registrations", "GET, POST"),
        ("POST", "/Breaking-News/installations/i", "GET, PUT, PATCH, DELETE"),
        ("DELETE", "/Breaking-News/messages", "POST"),
        ("PATCH", "/Breaking-News", "GET, PUT, DELETE"),
    ])
    func `a wrong method is answered with the allowed methods`(method: String, path: String, allowed: String) throws {
        let answer = try Desk().post(path, method: method)
        #expect(answer.status == 405)
        #expect(answer.headers["Allow"] == allowed)
    }

    @Test(arguments: batches)
    func `batches in the forms of other clients are decoded`(contentType: String, body: String, handles: [String]?)
        throws
    {
        let desk = try Desk()
        let response = desk.post(
            "/Breaking-News/messages/$batch?direct&api-version=2020-06",
            headers: [.init("Content-Type", contentType)],
            body: body,
            format: "apple"
        )
        #expect(response.status == (handles == nil ? 400 : 201))
        #expect(desk.hub.sends.first?.handles == handles)
        #expect(desk.hub.sends.first?.text == handles.map { _ in "{}" })
    }

    @Test(arguments: ["messages?direct", "messages/$batch?direct"])
    func `the location of a direct send has the id where every SDK reads it`(path: String) throws {
        let desk = try Desk()
        let isBatch = path.contains("batch")
        let response = desk.post(
            "/Breaking-News/\(path)&api-version=2020-06",
            headers: isBatch
                ? [.init("Content-Type", "multipart/mixed; boundary=b")]
                : [.init("ServiceBusNotification-DeviceHandle", "AB")],
            body: isBatch
                ? "--b\r\nContent-Disposition: inline; name=notification\r\n\r\n{}\r\n--b\r\n"
                    + "Content-Disposition: inline; name=devices\r\n\r\n[\"AB\"]\r\n--b--" : "{}",
            format: "apple"
        )
        #expect(response.status == 201)
        let location = try #require(response.headers["Location"])
        let id = try #require(desk.hub.sends.first?.notificationID)
        // The JavaScript SDK reads the third segment of the path, those for Java and .NET the last.
        let url = location.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        #expect(url.dropFirst(3).map(String.init) == ["Breaking-News", "messages", id])
    }

    @Test(arguments: [HubTier.free, .basic, .standard])
    func `only the standard tier returns the id of a message`(tier: HubTier) throws {
        let desk = try Desk { $0.tier = tier }
        let response = desk.post()
        #expect(response.status == 201)
        #expect((response.headers["Location"] != nil) == (tier == .standard))
        let batch = desk.post("/Breaking-News/messages/$batch?direct", format: "apple")
        #expect((batch.status == 403) == (tier == .free))
    }

    @Test(
        arguments: [
            "/breaking-news/MESSAGES/?api-version=2020-06", "/Breaking-News/messages",
            "/Breaking-News/messages?api-version=2015-04",
            "http://127.0.0.1:8080/Breaking-News/messages/?api-version=2015-04",
        ])
    func `a path may have any case, a slash at the end or the form of a whole URL`(path: String) throws {
        let desk = try Desk()
        #expect(desk.post(path).status == 201)
    }

    @Test(
        arguments: [
            "?direct", "?direct&api-version=2020-06", "?api-version=2020-06&direct=true", "?api-version=2020-06&Direct",
        ])
    func `a flag in the query needs no value`(query: String) throws {
        let desk = try Desk()
        let headers: HTTPHeaders = [.init("servicebusnotification-devicehandle", "AB")]
        #expect(desk.post("/Breaking-News/messages" + query, headers: headers, format: "apple").status == 201)
        #expect(desk.hub.sends.map(\.kind) == [.direct])
    }

    @Test(arguments: refusals)
    func `an invalid request is refused with the service's status and text`(request: InvalidRequest) throws {
        let desk = try Desk()
        let response = desk.post(request.path, headers: request.headers, body: request.body, format: request.format)
        #expect(response.status == request.status)
        #expect(response.text.contains(request.text))
        #expect(response.text.hasPrefix("<Error><Code>\(request.status)</Code><Detail>"))
        #expect(desk.hub.sends.isEmpty)
    }

    @Test func `a message may have exactly 64 KB`() throws {
        let desk = try Desk()
        let body = #"{"a":""# + String(repeating: "x", count: 65_536 - 8) + #""}"#
        #expect(desk.post(body: body).status == 201)
        #expect(desk.post(body: body + " ").status == 413)
    }

    @Test func `a test send is answered with an outcome`() throws {
        let desk = try Desk()
        let response = desk.post("/Breaking-News/messages?api-version=2020-06&test")
        #expect(response.status == 201)
        #expect(response.text.contains("<Success>0</Success><Failure>0</Failure><Results/>"))
        #expect(desk.hub.sends.map(\.isTest) == [true])
    }

    @Test(arguments: [
        ("messages?direct", "2015-01"), ("messages/$batch?direct", "2015-04"), ("messages/NH-1?", "2015-08"),
    ])
    func `an operation needs an API version that has it`(path: String, version: String) throws {
        let desk = try Desk()
        let method = path.hasPrefix("messages/NH") ? "GET" : "POST"
        let response = desk.post(
            "/Breaking-News/\(path)&api-version=\(version)",
            method: method,
            headers: [.init("ServiceBusNotification-DeviceHandle", "AB")],
            format: "apple"
        )
        #expect(response.status == 400)
        #expect(response.text.contains("or later"))
    }

    @Test(.needsRecordings)
    func `the answer to a send is that of the service`() throws {
        let recording = try HubRecording.javaScriptSend()
        let response = try Desk().post("/Breaking-News/messages/?api-version=2020-06", format: "apple")
        #expect(response.status == recording.status)
        #expect(response.body.isEmpty == recording.body.isEmpty)
        for name in ["Location", "TrackingId", "x-ms-correlation-request-id", "Server"] {
            let recorded = try #require(recording[name])
            let given = try #require(response.headers[name])
            if name != "Server" { #expect(shape(given.afterHub) == shape(recorded.afterHub), "\(name)") }
        }
    }

    @Test(
        .needsRecordings,
        arguments: ["SendNotificationAsync_SendTemplate", "SendDirectNotificationAsync_SendDirectAppleNotification"]
    )
    func `the answer to a send is that of the service in 2018`(test: String) throws {
        let recording = try #require(HubRecording.dotnet(test).first)
        let response = try Desk().post()
        #expect(response.status == recording.status)
        let location = try #require(recording["Location"])
        #expect(response.headers["Location"]?.hasPrefix("https://") == location.hasPrefix("https://"))
    }

    @Test func `the answers are the same for the same seed`() throws {
        let ids = try (0..<2).map { _ in try Desk().post().headers["TrackingId"] }
        #expect(ids[0] == ids[1])
        #expect(try Desk { $0.seed = 8 }.post().headers["TrackingId"] != ids[0])
    }
}

/// Replaces digits and hexadecimal letters with 9, so that only the form remains.
private func shape(_ text: String) -> String {
    String(text.map { $0.isHexDigit ? "9" : $0 })
}

extension String {
    /// The part of a `Location` after the hub's name; the whole text if it has none.
    fileprivate var afterHub: String {
        firstRange(of: "/messages/").map { String(self[$0.lowerBound...]) } ?? self
    }
}

struct InvalidRequest: Sendable, CustomTestStringConvertible {
    var what: String
    var path = "/Breaking-News/messages?api-version=2020-06"
    var headers: HTTPHeaders = []
    var body = #"{"a":"b"}"#
    var format: String? = "template"
    var status = 400
    var text = ""

    var testDescription: String { what }
}

private let tags = "ServiceBusNotification-Tags"
private let refusals = [
    InvalidRequest(what: "no format", format: nil, text: "ServiceBusNotification-Format is missing"),
    InvalidRequest(what: "the format fcm", format: "fcm", text: "'fcm' is not supported"),
    InvalidRequest(what: "no body", body: "", text: "The supplied notification payload is invalid."),
    InvalidRequest(what: "a template that is not JSON", body: "{", text: "payload is invalid"),
    InvalidRequest(what: "a template that is not an object", body: "[]", text: "payload is invalid"),
    InvalidRequest(what: "a value that is not a string", body: #"{"a":1}"#, text: "payload is invalid"),
    InvalidRequest(what: "an apple payload that is not JSON", body: "x", format: "apple", text: "payload is invalid"),
    InvalidRequest(
        what: "a tag with a comma",
        headers: [.init(tags, "a,b<c")],
        text: "An invalid tag 'a,b&lt;c' was supplied. Valid tag characters are alphanumeric, _, @, -, ., : and #."
    ),
    InvalidRequest(what: "an empty expression", headers: [.init(tags, "")], text: "at least one tag"),
    InvalidRequest(what: "a broken expression", headers: [.init(tags, "a &&")], text: "is not valid"),
    InvalidRequest(
        what: "too many tags",
        headers: [.init(tags, (0...20).map { "t\($0)" }.joined(separator: " || "))],
        text: "limited to 20 tags"
    ),
    InvalidRequest(
        what: "an unknown version",
        path: "/Breaking-News/messages?api-version=2030-01",
        text: "is not supported"
    ),
    InvalidRequest(
        what: "a direct send without a handle",
        path: "/Breaking-News/messages?direct",
        format: "apple",
        text: "DeviceHandle"
    ),
    InvalidRequest(
        what: "a direct send of a template",
        path: "/Breaking-News/messages?direct",
        headers: [.init("ServiceBusNotification-DeviceHandle", "h")],
        text: "native"
    ),
    InvalidRequest(
        what: "a batch that is not multipart",
        path: "/Breaking-News/messages/$batch?direct",
        format: "apple",
        text: "Could not find a part of the multipart content supplied."
    ),
    InvalidRequest(
        what: "another hub",
        path: "/Other/messages",
        status: 404,
        text: "No service is hosted at the specified address."
    ),
    InvalidRequest(what: "an unknown path", path: "/Breaking-News/nothing", status: 404),
    InvalidRequest(what: "an operation that is not emulated", path: "/Breaking-News/jobs", status: 501),
    InvalidRequest(what: "a wrong method", path: "/Breaking-News/messages/NH-1", status: 405),
]

private let javaScript =
    "--nh-1\r\nContent-Type: application/json\r\nContent-Disposition: inline; name=\"notification\"\r\n\r\n{}\r\n"
    + "--nh-1\r\nContent-Type: application/json\r\nContent-Disposition: inline; name=\"devices\"\r\n\r\n[\"aa\",\"bb\"]\r\n--nh-1--"
private let page = javaScript.replacing("[\"aa\",\"bb\"]", with: "['aa', 'bb']").replacing("\r\n", with: "\n")
    .replacing("\"devices\"", with: "devices")
private let batches: [(String, String, [String]?)] = [
    ("multipart/mixed; boundary = \"nh-1\"", javaScript, ["aa", "bb"]),
    ("multipart/mixed;boundary=nh-1", page, ["aa", "bb"]),
    ("multipart/mixed; boundary=other", javaScript, nil),
    ("multipart/mixed", javaScript, nil),
    ("multipart/mixed; boundary=nh-1", javaScript.replacing("[\"aa\",\"bb\"]", with: "[]"), nil),
    ("multipart/mixed; boundary=nh-1", javaScript.replacing("[\"aa\",\"bb\"]", with: "[1]"), nil),
    ("multipart/mixed; boundary=nh-1", javaScript.replacing("devices", with: "others"), nil),
]
