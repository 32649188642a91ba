import NotificationHubs
import Testing

@Suite("Refused installations", .timeLimit(.minutes(1)))
struct InstallationFaultTests {
    struct InvalidDocument: CustomTestStringConvertible {
        var body: String
        var code: HubValueError.Code
        var message: String
        var path: String

        init(_ body: String, _ code: HubValueError.Code, _ message: String, at path: String) {
            self.body = body
            self.code = code
            self.message = message
            self.path = path
        }

        /// Creates a case with members besides a valid platform and channel.
        init(with members: String, _ code: HubValueError.Code, _ message: String, at path: String) {
            self.init(#"{"platform":"gcm","pushChannel":"g",\#(members)}"#, code, message, at: path)
        }

        var testDescription: String { String("\(code.rawValue) \(body)".prefix(120)) }
    }

    private static let wholes = [
        InvalidDocument("", .deviceSyntax, "The request body is not valid JSON: ", at: ""),
        InvalidDocument("{", .deviceSyntax, "The request body is not valid JSON: ", at: ""),
        InvalidDocument(#"{"tags":[1,]}"#, .deviceSyntax, "The request body is not valid JSON: ", at: "/tags/1"),
        InvalidDocument("<a/>", .deviceSyntax, "The request body is not valid JSON: ", at: ""),
        InvalidDocument("[]", .deviceWrongType, "The installation is not a JSON object.", at: ""),
        InvalidDocument("{}", .deviceMissing, "The installation has no platform.", at: "/platform"),
        InvalidDocument(#"{"platform":null}"#, .deviceMissing, "The installation has no platform.", at: "/platform"),
        InvalidDocument(#"{"platform":1}"#, .deviceWrongType, "The platform must be a string.", at: "/platform"),
        InvalidDocument(
            #"{"platform":"fcm"}"#,
            .deviceUnknownPlatform,
            "The platform of an installation must be one of",
            at: "/platform"
        ),
        InvalidDocument(
            #"{"platform":"gcm"}"#,
            .deviceMissing,
            "The installation has no pushChannel.",
            at: "/pushChannel"
        ),
        InvalidDocument(
            #"{"platform":"gcm","pushChannel":1}"#,
            .deviceWrongType,
            "The pushChannel must be a string.",
            at: "/pushChannel"
        ),
        InvalidDocument(
            #"{"platform":"apns","pushChannel":"xyz"}"#,
            .deviceInvalidChannel,
            "Device token is either empty OR it has odd number of nibbles.",
            at: "/pushChannel"
        ),
        InvalidDocument(
            #"{"platform":"baidu","pushChannel":"12"}"#,
            .deviceInvalidChannel,
            "Baidu Registration Id is invalid.",
            at: "/pushChannel"
        ),
        InvalidDocument(
            #"{"platform":"browser","pushChannel":"https://e"}"#,
            .deviceInvalidChannel,
            "Browser push channel is invalid",
            at: "/pushChannel"
        ),
        InvalidDocument(
            #"{"platform":"browser","pushChannel":{"endpoint":"e","p256dh":1}}"#,
            .deviceWrongType,
            "The p256dh must be a string.",
            at: "/pushChannel/p256dh"
        ),
    ]

    private static let members = [
        InvalidDocument(
            with: #""installationId":"other""#,
            .deviceInvalidID,
            "The installation id of the body is not that of the address.",
            at: "/installationId"
        ),
        InvalidDocument(with: #""userId":"a b""#, .deviceInvalidID, "The user id is invalid.", at: "/userId"),
        InvalidDocument(with: #""userId":7"#, .deviceWrongType, "The user id must be a string.", at: "/userId"),
        InvalidDocument(
            with: #""tags":"a""#,
            .deviceWrongType,
            "The member tags must be an array of strings.",
            at: "/tags"
        ),
        InvalidDocument(
            with: #""tags":[1]"#,
            .deviceWrongType,
            "The member tags must be an array of strings.",
            at: "/tags"
        ),
        InvalidDocument(
            with: #""tags":["a b"]"#,
            .deviceInvalidTag,
            "An invalid tag 'a b' was supplied. Valid tag",
            at: "/tags"
        ),
        InvalidDocument(
            with: #""tags":["$InstallationId:{other}"]"#,
            .deviceInvalidTag,
            "An invalid tag '$InstallationId:{other}' was supplied. A registration has at most one",
            at: "/tags"
        ),
        InvalidDocument(
            with: #""userId":"u","tags":["$UserId:{v}"]"#,
            .deviceInvalidTag,
            "An invalid tag '$UserId:{v}' was supplied. A registration has at most one",
            at: "/tags"
        ),
        InvalidDocument(
            with: #""pushVariables":[]"#,
            .deviceWrongType,
            "The push variables are not a JSON object.",
            at: "/pushVariables"
        ),
        InvalidDocument(
            with: #""pushVariables":{"a":null}"#,
            .deviceWrongType,
            "The value of a push variable is not a string.",
            at: "/pushVariables"
        ),
        InvalidDocument(
            with: #""templates":[]"#,
            .deviceWrongType,
            "The member templates must be a JSON object.",
            at: "/templates"
        ),
        InvalidDocument(
            with: #""templates":{"t":1}"#,
            .deviceWrongType,
            "A template must be a JSON object.",
            at: "/templates/t"
        ),
        InvalidDocument(
            with: #""templates":{"t":{}}"#,
            .deviceMissing,
            "A template has no body.",
            at: "/templates/t/body"
        ),
        InvalidDocument(
            with: #""templates":{"a/b":{"body":{}}}"#,
            .deviceWrongType,
            "The body of a template must be a string.",
            at: "/templates/a~1b/body"
        ),
        InvalidDocument(
            with: #""templates":{"t":{"body":"{}","expiry":0}}"#,
            .deviceWrongType,
            "The expiry of a template must be a string.",
            at: "/templates/t/expiry"
        ),
        InvalidDocument(
            with: #""templates":{"":{"body":"{}"}}"#,
            .deviceInvalidTemplate,
            "A template has no name.",
            at: "/templates/"
        ),
        InvalidDocument(
            with: #""templates":{"\#(String(repeating: "n", count: 201))":{"body":"{}"}}"#,
            .deviceInvalidTemplate,
            "The template name exceeds the '200' character limit.",
            at: "/templates/" + String(repeating: "n", count: 201)
        ),
        InvalidDocument(
            with: #""templates":{"hello":{"body":"{}","headers":{"a":"b"}}}"#,
            .deviceInvalidTemplate,
            "Template 'hello is invalid: 'Headers' only acceptable for WNS and MPNS",
            at: "/templates/hello/headers"
        ),
        InvalidDocument(
            with: #""templates":{"t":{"body":"{}","headers":{"a":1}}}"#,
            .deviceWrongType,
            "A header must be a string.",
            at: "/templates/t/headers/a"
        ),
        InvalidDocument(
            with: #""templates":{"t":{"body":"{}","tags":["a,b"]}}"#,
            .deviceInvalidTag,
            "An invalid tag 'a,b' was supplied.",
            at: "/templates/t/tags"
        ),
        InvalidDocument(
            with: #""secondaryTiles":{"a":{}}"#,
            .deviceMissing,
            "A secondary tile has no pushChannel.",
            at: "/secondaryTiles/a/pushChannel"
        ),
        InvalidDocument(
            with: #""secondaryTiles":{"a":{"pushChannel":"b"}}"#,
            .deviceInvalidTemplate,
            "Secondary tiles are only acceptable for WNS.",
            at: "/secondaryTiles"
        ),
    ]

    @Test(arguments: wholes + members)
    func `an installation that the hub refuses is refused with the path of the error`(_ fault: InvalidDocument) {
        let error = #expect(throws: HubValueError.self) { try InstallationJSON.read(Array(fault.body.utf8), id: "123") }
        #expect(error?.code == fault.code)
        #expect(error?.message.hasPrefix(fault.message) == true, "\(error?.message ?? "")")
        #expect(error?.path == fault.path)
    }

    @Test(arguments: ["", "a b", "a/b", "ü", String(repeating: "i", count: 103)])
    func `an id that cannot be in a tag is refused`(_ id: String) {
        let body = Array(#"{"platform":"gcm","pushChannel":"g"}"#.utf8)
        let error = #expect(throws: HubValueError.self) { try InstallationJSON.read(body, id: id) }
        #expect(error?.code == .deviceInvalidID)
    }

    @Test
    func `the tags of an installation count together with those of its templates`() throws {
        func body(_ count: Int) -> [UInt8] {
            let tags = (0..<count).map { #""t\#($0)""# }.joined(separator: ",")
            let template = #"{"t":{"body":"{}","tags":["t0","a","b"]}}"#
            return Array(#"{"platform":"gcm","pushChannel":"g","tags":[\#(tags)],"templates":\#(template)}"#.utf8)
        }
        #expect(try InstallationJSON.read(body(58), id: "i").tags.count == 58)
        let error = #expect(throws: HubValueError.self) { try InstallationJSON.read(body(59), id: "i") }
        #expect(error?.code == .deviceTooManyTags)
        #expect(error?.path == "/templates/t/tags")
    }
}
