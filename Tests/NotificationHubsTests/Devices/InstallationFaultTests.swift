import NotificationHubs
import Testing

@Suite("Refused installations", .timeLimit(.minutes(1)))
struct InstallationFaultTests {
    struct Fault: CustomTestStringConvertible {
        var body: String
        var code: DeviceError.Code
        var message: String
        var path: String

        init(_ body: String, _ code: DeviceError.Code, _ message: String, at path: String) {
            self.body = body
            self.code = code
            self.message = message
            self.path = path
        }

        /// Creates a case with members besides a valid platform and channel.
        init(with members: String, _ code: DeviceError.Code, _ message: String, at path: String) {
            self.init(#"{"platform":"gcm","pushChannel":"g",\#(members)}"#, code, message, at: path)
        }

        var testDescription: String { String("\(code.rawValue) \(body)".prefix(120)) }
    }

    private static let wholes = [
        Fault("", .syntax, "The request body is not valid JSON: ", at: ""),
        Fault("{", .syntax, "The request body is not valid JSON: ", at: ""),
        Fault(#"{"tags":[1,]}"#, .syntax, "The request body is not valid JSON: ", at: "/tags/1"),
        Fault("<a/>", .syntax, "The request body is not valid JSON: ", at: ""),
        Fault("[]", .wrongType, "The installation is not a JSON object.", at: ""),
        Fault("{}", .missing, "The installation has no platform.", at: "/platform"),
        Fault(#"{"platform":null}"#, .missing, "The installation has no platform.", at: "/platform"),
        Fault(#"{"platform":1}"#, .wrongType, "The platform must be a string.", at: "/platform"),
        Fault(
            #"{"platform":"fcm"}"#,
            .unknownPlatform,
            "The platform of an installation must be one of",
            at: "/platform"
        ),
        Fault(#"{"platform":"gcm"}"#, .missing, "The installation has no pushChannel.", at: "/pushChannel"),
        Fault(
            #"{"platform":"gcm","pushChannel":1}"#,
            .wrongType,
            "The pushChannel must be a string.",
            at: "/pushChannel"
        ),
        Fault(
            #"{"platform":"apns","pushChannel":"xyz"}"#,
            .invalidChannel,
            "Device token is either empty OR it has odd number of nibbles.",
            at: "/pushChannel"
        ),
        Fault(
            #"{"platform":"baidu","pushChannel":"12"}"#,
            .invalidChannel,
            "Baidu Registration Id is invalid.",
            at: "/pushChannel"
        ),
        Fault(
            #"{"platform":"browser","pushChannel":"https://e"}"#,
            .invalidChannel,
            "Browser push channel is invalid",
            at: "/pushChannel"
        ),
        Fault(
            #"{"platform":"browser","pushChannel":{"endpoint":"e","p256dh":1}}"#,
            .wrongType,
            "The p256dh must be a string.",
            at: "/pushChannel/p256dh"
        ),
    ]

    private static let members = [
        Fault(
            with: #""installationId":"other""#,
            .invalidID,
            "The installation id of the body is not that of the address.",
            at: "/installationId"
        ),
        Fault(with: #""userId":"a b""#, .invalidID, "The user id is invalid.", at: "/userId"),
        Fault(with: #""userId":7"#, .wrongType, "The user id must be a string.", at: "/userId"),
        Fault(with: #""tags":"a""#, .wrongType, "The member tags must be an array of strings.", at: "/tags"),
        Fault(with: #""tags":[1]"#, .wrongType, "The member tags must be an array of strings.", at: "/tags"),
        Fault(with: #""tags":["a b"]"#, .invalidTag, "An invalid tag 'a b' was supplied. Valid tag", at: "/tags"),
        Fault(
            with: #""tags":["$InstallationId:{other}"]"#,
            .invalidTag,
            "An invalid tag '$InstallationId:{other}' was supplied. A registration has at most one",
            at: "/tags"
        ),
        Fault(
            with: #""userId":"u","tags":["$UserId:{v}"]"#,
            .invalidTag,
            "An invalid tag '$UserId:{v}' was supplied. A registration has at most one",
            at: "/tags"
        ),
        Fault(
            with: #""pushVariables":[]"#,
            .wrongType,
            "The push variables are not a JSON object.",
            at: "/pushVariables"
        ),
        Fault(
            with: #""pushVariables":{"a":null}"#,
            .wrongType,
            "The value of a push variable is not a string.",
            at: "/pushVariables"
        ),
        Fault(with: #""templates":[]"#, .wrongType, "The member templates must be a JSON object.", at: "/templates"),
        Fault(with: #""templates":{"t":1}"#, .wrongType, "A template must be a JSON object.", at: "/templates/t"),
        Fault(with: #""templates":{"t":{}}"#, .missing, "A template has no body.", at: "/templates/t/body"),
        Fault(
            with: #""templates":{"a/b":{"body":{}}}"#,
            .wrongType,
            "The body of a template must be a string.",
            at: "/templates/a~1b/body"
        ),
        Fault(
            with: #""templates":{"t":{"body":"{}","expiry":0}}"#,
            .wrongType,
            "The expiry of a template must be a string.",
            at: "/templates/t/expiry"
        ),
        Fault(
            with: #""templates":{"":{"body":"{}"}}"#,
            .invalidTemplate,
            "A template has no name.",
            at: "/templates/"
        ),
        Fault(
            with: #""templates":{"\#(String(repeating: "n", count: 201))":{"body":"{}"}}"#,
            .invalidTemplate,
            "The template name exceeds the '200' character limit.",
            at: "/templates/" + String(repeating: "n", count: 201)
        ),
        Fault(
            with: #""templates":{"hello":{"body":"{}","headers":{"a":"b"}}}"#,
            .invalidTemplate,
            "Template 'hello is invalid: 'Headers' only acceptable for WNS and MPNS",
            at: "/templates/hello/headers"
        ),
        Fault(
            with: #""templates":{"t":{"body":"{}","headers":{"a":1}}}"#,
            .wrongType,
            "A header must be a string.",
            at: "/templates/t/headers/a"
        ),
        Fault(
            with: #""templates":{"t":{"body":"{}","tags":["a,b"]}}"#,
            .invalidTag,
            "An invalid tag 'a,b' was supplied.",
            at: "/templates/t/tags"
        ),
        Fault(
            with: #""secondaryTiles":{"a":{}}"#,
            .missing,
            "A secondary tile has no pushChannel.",
            at: "/secondaryTiles/a/pushChannel"
        ),
        Fault(
            with: #""secondaryTiles":{"a":{"pushChannel":"b"}}"#,
            .invalidTemplate,
            "Secondary tiles are only acceptable for WNS.",
            at: "/secondaryTiles"
        ),
    ]

    @Test(arguments: wholes + members)
    func `an installation that the hub refuses is refused with the path of the error`(_ fault: Fault) {
        let error = #expect(throws: DeviceError.self) { try InstallationJSON.read(Array(fault.body.utf8), id: "123") }
        #expect(error?.code == fault.code)
        #expect(error?.message.hasPrefix(fault.message) == true, "\(error?.message ?? "")")
        #expect(error?.path == fault.path)
    }

    @Test(arguments: ["", "a b", "a/b", "ü", String(repeating: "i", count: 103)])
    func `an id that cannot be in a tag is refused`(_ id: String) {
        let body = Array(#"{"platform":"gcm","pushChannel":"g"}"#.utf8)
        let error = #expect(throws: DeviceError.self) { try InstallationJSON.read(body, id: id) }
        #expect(error?.code == .invalidID)
    }

    @Test
    func `the tags of an installation count together with those of its templates`() throws {
        func body(_ count: Int) -> [UInt8] {
            let tags = (0..<count).map { #""t\#($0)""# }.joined(separator: ",")
            let template = #"{"t":{"body":"{}","tags":["t0","a","b"]}}"#
            return Array(#"{"platform":"gcm","pushChannel":"g","tags":[\#(tags)],"templates":\#(template)}"#.utf8)
        }
        #expect(try InstallationJSON.read(body(58), id: "i").tags.count == 58)
        let error = #expect(throws: DeviceError.self) { try InstallationJSON.read(body(59), id: "i") }
        #expect(error?.code == .tooManyTags)
        #expect(error?.path == "/templates/t/tags")
    }
}
