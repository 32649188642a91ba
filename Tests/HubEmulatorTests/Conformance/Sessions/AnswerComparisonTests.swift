import NewsflashHTTPTransport
import NewsflashHubRecordings
import Testing

@Suite("comparing answers", .timeLimit(.minutes(1)))
struct AnswerComparisonTests {
    @Test(
        arguments: [
            // Answers with other prefixes, ids and times are equal.
            (feed, feed.replacing("a:etag", with: "p1:etag").replacing("xmlns:a", with: "xmlns:p1"), []),
            (feed, feed.replacing("2018-11-07T00:18:26Z", with: "2026-01-02T03:04:05Z"), []),
            (feed, feed.replacing("1-2-3", with: "7-8-9"), []),
            // Answers with another value, order or form differ.
            (feed, feed.replacing("a,b", with: "b,a"), ["Tags"]),
            (feed, feed.replacing("26Z", with: "26.5Z"), ["updated"]),
            (feed, feed.replacing("W/", with: ""), ["etag"]),
            (feed, feed.replacing("<ETag>1</ETag><Tags>a,b</Tags>", with: "<Tags>a,b</Tags><ETag>1</ETag>"), ["ETag"]),
            (feed, feed.replacing("<![CDATA[{}]]>", with: "{}"), ["CDATA"]),
            (feed, feed.replacing("<Expiry i:nil=\"true\"/>", with: "<Expiry/>"), ["nil"]),
            (#"{"a":1,"b":[true]}"#, #"{"b":[true],"a":1}"#, []),
            (#"{"a":1,"b":[true]}"#, #"{"b":[true],"a":"1"}"#, ["/a"]),
            (#"{"a":1,"b":[true]}"#, #"{"a":1,"b":[true],"c":null}"#, ["/c"]),
            (
                error, error.replacing("1a1a", with: "2b2b").replacing("G1,", with: "G19,").replacing("AM", with: "PM"),
                []
            ),
            (error, error.replacing("Installation", with: "Registration"), ["Detail"]),
        ] as [(String, String, [String])]
    )
    func `a comparison finds the differences of two bodies`(recorded: String, answered: String, words: [String]) {
        let differences = compare(recorded, answered)
        #expect(differences.isEmpty == words.isEmpty, "\(differences)")
        for word in words { #expect(differences.contains { $0.contains(word) }, "\(differences)") }
    }

    @Test(
        arguments: [
            (
                "Location", "https://s/h/messages/x-1?api-version=2017-04&direct",
                "https://e/h/messages/NH-1?api-version=2017-04", true
            ),
            (
                "Location", "https://s/h/messages/x-1?api-version=2017-04", "https://e/h/messages/?api-version=2017-04",
                false
            ),
            (
                "Location", "https://s/h/messages/x-1?api-version=2017-04", "http://e/h/messages/x?api-version=2017-04",
                false
            ),
            (
                "Location", "https://s/h/messages/x-1?api-version=2017-04",
                "https://e/h/messages/x?api-version=2020-06", false
            ),
            (
                "Content-Type", "application/atom+xml; type=entry; charset=utf-8",
                "application/atom+xml;type=entry;charset=utf-8", true
            ),
            (
                "Content-Type", "application/atom+xml; type=entry; charset=utf-8",
                "application/atom+xml;type=feed;charset=utf-8", false
            ),
            ("ETag", "W/\"1\"", "\"1\"", false),
            ("x-ms-continuationtoken", "MzEobik7Mg%3D%3D", "abc", true),
            ("x-ms-continuationtoken", "MzEobik7Mg%3D%3D", nil, false),
            ("Retry-After", nil, "5", false),
            ("TrackingId", nil, "1", true),
        ] as [(String, String?, String?, Bool)]
    )
    func `a comparison includes the significant headers`(
        name: String,
        recorded: String?,
        answered: String?,
        areSame: Bool
    ) {
        let differences = compare("<a/>", "<a/>", headers: (name, recorded, answered))
        #expect(differences.isEmpty == areSame, "\(differences)")
    }

    private func compare(
        _ recorded: String,
        _ answered: String,
        headers: (name: String, recorded: String?, answered: String?) = ("", nil, nil)
    ) -> [String] {
        AnswerComparison(
            recording: HubRecording(
                target: "/h/messages",
                status: 200,
                headers: [("Server", "Microsoft-HTTPAPI/2.0")] + (headers.recorded.map { [(headers.name, $0)] } ?? []),
                body: recorded
            ),
            answer: HTTPResponse(
                status: 200,
                headers: headers.answered.map { [.init(headers.name, $0)] } ?? [],
                body: Array(answered.utf8)
            ),
            recordedText: AnswerText(replacements: [("https://s/h", "{hub}"), ("1-2-3", "{id}")]),
            answeredText: AnswerText(replacements: [("https://e/h", "{hub}"), ("1-2-3", "{id}"), ("7-8-9", "{id}")])
        ).differences
    }
}

private let error = """
    <Error><Code>404</Code><Detail>Installation not found.TrackingId:1a1a9b4f-fd82-4cfa-8f99-7a089eb4cd69_G1,\
    TimeStamp:11/7/2018 12:18:37 AM</Detail></Error>
    """

private let feed = """
    <feed xmlns="http://www.w3.org/2005/Atom"><entry a:etag="W/&quot;1&quot;" \
    xmlns:a="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><title type="text">1-2-3</title>\
    <updated>2018-11-07T00:18:26Z</updated><content><R xmlns:i="http://www.w3.org/2001/XMLSchema-instance">\
    <ETag>1</ETag><Tags>a,b</Tags><BodyTemplate><![CDATA[{}]]></BodyTemplate><Expiry i:nil="true"/></R></content>\
    </entry></feed>
    """
