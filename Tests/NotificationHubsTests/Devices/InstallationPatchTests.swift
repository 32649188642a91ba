import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("Changes to installations", .timeLimit(.minutes(1)))
struct InstallationPatchTests {
    private static let before = #"""
        {"installationId":"i","pushChannel":"https://a","pushChannelExpired":false,"platform":"wns",\#
        "expirationTime":"9999-12-31T23:59:59.9999999Z","userId":"u","tags":["a","b"],\#
        "templates":{"T one":{"body":"<toast/>","headers":{"h":"1"},"expiry":"0","tags":["x","T one"]}},\#
        "secondaryTiles":{"s":{"pushChannel":"https://b","pushChannelExpired":false,"tags":["t"],\#
        "templates":{"U":{"body":"<tile/>","tags":["U"]}}}}}
        """#

    /// A change, and its effect on a part of the text.
    struct Change: CustomTestStringConvertible {
        var change: String
        var old: String
        var new: String

        init(_ change: String, _ old: String, _ new: String) {
            self.change = change
            self.old = old
            self.new = new
        }

        var testDescription: String { change }
    }

    private static let changes: [Change] = [
        Change(#"{"op":"replace","path":"/pushChannel","value":"https://c"}"#, "https://a", "https://c"),
        Change(#"{"op":"add","path":"/pushChannel","value":"https://c"}"#, "https://a", "https://c"),
        Change(#"{"op":"Replace","path":"PushChannel","value":"https://c"}"#, "https://a", "https://c"),
        Change(#"{"op":"replace","path":"/userId","value":"v"}"#, #""userId":"u""#, #""userId":"v""#),
        Change(#"{"op":"remove","path":"/userId"}"#, #""userId":"u","#, ""),
        Change(#"{"op":"remove","path":"/userId","value":null}"#, #""userId":"u","#, ""),
        Change(#"{"op":"add","path":"/tags","value":"c"}"#, #"["a","b"]"#, #"["a","b","c"]"#),
        Change(#"{"op":"add","path":"/tags","value":"a"}"#, "", ""),
        Change(#"{"op":"add","path":"/tags","value":["c","a","d"]}"#, #"["a","b"]"#, #"["a","b","c","d"]"#),
        Change(#"{"op":"replace","path":"/tags","value":["c"]}"#, #"["a","b"]"#, #"["c"]"#),
        Change(#"{"op":"replace","path":"/tags","value":"c"}"#, #"["a","b"]"#, #"["c"]"#),
        Change(#"{"op":"remove","path":"/tags"}"#, #""tags":["a","b"],"#, ""),
        Change(#"{"op":"remove","path":"/tags/a"}"#, #"["a","b"]"#, #"["b"]"#),
        Change(#"{"op":"remove","path":"/tags/c"}"#, "", ""),
        Change(#"{"op":"remove","path":"/templates/none"}"#, "", ""),
        Change(
            #"{"op":"remove","path":"/templates/T one"}"#,
            #""templates":{"T one":{"body":"<toast/>","headers":{"h":"1"},"expiry":"0","tags":["x","T one"]}},"#,
            ""
        ),
        Change(
            #"{"op":"replace","path":"/templates/T one","value":{"body":"<badge/>"}}"#,
            #"{"body":"<toast/>","headers":{"h":"1"},"expiry":"0","tags":["x","T one"]}"#,
            #"{"body":"<badge/>","tags":["T one"]}"#
        ),
        Change(
            #"{"op":"add","path":"/templates/a~1~0b","value":"{\"body\":\"<badge/>\",\"tags\":[\"n\"]}"}"#,
            #"["x","T one"]}}"#,
            #"["x","T one"]},"a/~b":{"body":"<badge/>","tags":["n","a/~b"]}}"#
        ),
        Change(#"{"op":"replace","path":"/templates/T one/body","value":"<raw/>"}"#, "<toast/>", "<raw/>"),
        Change(#"{"op":"add","path":"/templates/T one/headers","value":{"i":"2"}}"#, #"{"h":"1"}"#, #"{"i":"2"}"#),
        Change(#"{"op":"add","path":"/templates/T one/headers","value":"{\"i\":\"2\"}"}"#, #""h":"1""#, #""i":"2""#),
        Change(#"{"op":"remove","path":"/templates/T one/headers"}"#, #""headers":{"h":"1"},"#, ""),
        Change(#"{"op":"replace","path":"/templates/T one/expiry","value":"$(e)"}"#, #""0""#, #""$(e)""#),
        Change(#"{"op":"remove","path":"/templates/T one/expiry"}"#, #""expiry":"0","#, ""),
        Change(#"{"op":"add","path":"/templates/T one/tags","value":"y"}"#, #"["x","#, #"["x","y","#),
        Change(#"{"op":"remove","path":"/templates/T one/tags/x"}"#, #"["x","T one"]"#, #"["T one"]"#),
        Change(#"{"op":"remove","path":"/templates/T one/tags"}"#, #"["x","T one"]"#, #"["T one"]"#),
        Change(
            #"{"op":"replace","path":"/secondaryTiles/s/pushChannel","value":"https://c"}"#,
            "https://b",
            "https://c"
        ),
        Change(#"{"op":"add","path":"/secondaryTiles/s/tags","value":"w"}"#, #"["t"]"#, #"["t","w"]"#),
        Change(#"{"op":"remove","path":"/secondaryTiles/s/tags/t"}"#, #""tags":["t"],"#, ""),
        Change(#"{"op":"replace","path":"/secondaryTiles/s/templates/U/body","value":"<t/>"}"#, "<tile/>", "<t/>"),
        Change(
            #"{"op":"remove","path":"/secondaryTiles/s/templates/U"}"#,
            #","templates":{"U":{"body":"<tile/>","tags":["U"]}}"#,
            ""
        ),
        Change(
            #"{"op":"add","path":"/secondaryTiles/r","value":{"pushChannel":"https://d"}}"#,
            #"["U"]}}}}"#,
            #"["U"]}}},"r":{"pushChannel":"https://d","pushChannelExpired":false}}"#
        ),
        Change(
            #"{"op":"remove","path":"/secondaryTiles/s"}"#,
            #","secondaryTiles":{"s":{"pushChannel":"https://b","pushChannelExpired":false,"tags":["t"],"#
                + #""templates":{"U":{"body":"<tile/>","tags":["U"]}}}}"#,
            ""
        ),
    ]

    @Test(arguments: changes)
    func `a change affects its path and nothing else`(_ change: Change) throws {
        var installation = try InstallationJSON.read(Array(Self.before.utf8), id: "i")
        try InstallationPatch(reading: Array("[\(change.change)]".utf8)).apply(to: &installation)
        let after = change.old.isEmpty ? Self.before : Self.before.replacing(change.old, with: change.new)
        #expect(String(decoding: InstallationJSON.write(installation), as: UTF8.self) == after)
        #expect(change.old.isEmpty || after != Self.before)
    }

    @Test
    func `a new channel has not expired`() throws {
        var installation = try InstallationJSON.read(Array(Self.before.utf8), id: "i")
        installation.isChannelExpired = true
        let change = #"[{"op":"replace","path":"/pushChannel","value":"https://c"}]"#
        try InstallationPatch(reading: Array(change.utf8)).apply(to: &installation)
        #expect(!installation.isChannelExpired)
    }

    @Test(arguments: [
        ("", HubValueError.Code.deviceSyntax, ""),
        ("{}", .deviceWrongType, ""),
        ("[1]", .deviceWrongType, "/0"),
        (#"[{"path":"/tags","value":"a"}]"#, .deviceMissing, "/0/op"),
        (#"[{"op":"add","value":"a"}]"#, .deviceMissing, "/0/path"),
        (#"[{"op":"add","path":"/tags"}]"#, .deviceMissing, "/0/value"),
        (#"[{"op":"replace","path":"/userId","value":null}]"#, .deviceMissing, "/0/value"),
        (#"[{"op":"move","path":"/tags","value":"a"}]"#, .deviceInvalidPatch, "/0/op"),
        (#"[{"op":"remove","path":"/pushChannel"}]"#, .deviceInvalidPatch, "/0/op"),
        (#"[{"op":"remove","path":"/templates/T one/body"}]"#, .deviceInvalidPatch, "/0/op"),
        (#"[{"op":"add","path":"","value":"a"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/platform","value":"gcm"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/installationId","value":"j"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"remove","path":"/templates"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/tags/a","value":"b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"remove","path":"/tags/a/b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/userId/x","value":"b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/templates/none/body","value":"b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/templates/T one/other","value":"b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/secondaryTiles/none/tags","value":"b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/secondaryTiles/s/other","value":"b"}]"#, .deviceInvalidPatch, "/0/path"),
        (#"[{"op":"add","path":"/tags","value":"a b"}]"#, .deviceInvalidTag, "/0/value"),
        (#"[{"op":"add","path":"/tags","value":"[\"c\"]"}]"#, .deviceInvalidTag, "/0/value"),
        (#"[{"op":"add","path":"/tags","value":{"a":1}}]"#, .deviceWrongType, "/0/value"),
        (#"[{"op":"add","path":"/userId","value":1}]"#, .deviceWrongType, "/0/value"),
        (#"[{"op":"add","path":"/userId","value":"a b"}]"#, .deviceInvalidID, "/userId"),
        (#"[{"op":"add","path":"/pushChannel","value":"a b"}]"#, .deviceInvalidChannel, "/0/value"),
        (#"[{"op":"add","path":"/templates/n","value":"<toast/>"}]"#, .deviceWrongType, "/0/value"),
        (#"[{"op":"add","path":"/templates/n","value":{}}]"#, .deviceMissing, "/0/value/body"),
        (#"[{"op":"add","path":"/templates/T one/headers","value":"h"}]"#, .deviceWrongType, "/0/value"),
        (#"[{"op":"add","path":"/tags","value":"$InstallationId:{j}"}]"#, .deviceInvalidTag, "/tags"),
        (
            #"[{"op":"add","path":"/tags","value":"ok"},{"op":"add","path":"/no","value":"b"}]"#, .deviceInvalidPatch,
            "/1/path"
        ),
    ])
    func `a change that cannot be made changes nothing`(_ patch: String, _ code: HubValueError.Code, _ path: String)
        throws
    {
        let before = try InstallationJSON.read(Array(Self.before.utf8), id: "i")
        var installation = before
        let error = #expect(throws: HubValueError.self) {
            try InstallationPatch(reading: Array(patch.utf8)).apply(to: &installation)
        }
        #expect(error?.code == code)
        #expect(error?.path == path)
        #expect(installation == before)
    }

    @Test
    func `the tags of an installation and of the hub may be as many as in a registration`() throws {
        let tags = ["$InstallationId:{i}", "$UserId:{reader}"] + (0..<60).map { "t\($0)" }
        let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
        let patch =
            #"[{"op":"add","path":"/userId","value":"reader"},{"op":"replace","path":"/tags","value":[\#(list)]}]"#
        var installation = Installation(id: "i", channel: .gcm(registrationID: "g"))
        try InstallationPatch(reading: Array(patch.utf8)).apply(to: &installation)
        #expect(installation.tags.map(\.description) == tags)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `too many tags are refused at once, in one step or in many`(isOneStep: Bool) throws {
        let tags = (0..<50_000).map { "t\($0)" }
        let patch =
            isOneStep
            ? #"[{"op":"add","path":"/tags","value":["# + tags.map { "\"\($0)\"" }.joined(separator: ",") + "]}]"
            : "[" + tags.map { #"{"op":"add","path":"/tags","value":"\#($0)"}"# }.joined(separator: ",") + "]"
        var installation = Installation(id: "i", channel: .gcm(registrationID: "g"))
        let error = #expect(throws: HubValueError.self) {
            try InstallationPatch(reading: Array(patch.utf8)).apply(to: &installation)
        }
        #expect(error?.code == .deviceTooManyTags)
        #expect(error?.path == (isOneStep ? "/0/value" : "/62/value"))
        #expect(installation.tags.isEmpty)
    }

    /// Adds a number of templates or tiles, changes each, and removes all except the first.
    private func patch(of count: Int, at place: String) throws -> InstallationPatch {
        let value = place == "secondaryTiles" ? #"{"pushChannel":"https://c"}"# : #"{"body":"<toast/>"}"#
        let added = (0..<count).map { #"{"op":"add","path":"/\#(place)/n\#($0)","value":\#(value)}"# }
        let changed = (0..<count).map {
            place == "secondaryTiles"
                ? #"{"op":"add","path":"/\#(place)/n\#($0)/tags","value":"t"}"#
                : #"{"op":"replace","path":"/\#(place)/n\#($0)/body","value":"<badge/>"}"#
        }
        let removed = (1..<count).map { #"{"op":"remove","path":"/\#(place)/n\#($0)"}"# }
        return try InstallationPatch(reading: Array("[\((added + changed + removed).joined(separator: ","))]".utf8))
    }

    @Test(arguments: ["templates", "secondaryTiles/s/templates", "secondaryTiles"])
    func `many templates and tiles are changed in time in proportion to their number`(place: String) throws {
        let before = try InstallationJSON.read(Array(Self.before.utf8), id: "i")
        var installation = before
        let growth = try growth(from: 2000, prepare: { try patch(of: $0, at: place) }) { patch in
            installation = before
            try patch.apply(to: &installation)
        }
        // With a search for each it is at least 10.
        #expect(growth < 7)
        let text = String(decoding: InstallationJSON.write(installation), as: UTF8.self)
        #expect(text.contains(#""n0":{"#) && !text.contains(#""n1":{"#))
        #expect(text.contains(place == "secondaryTiles" ? #""tags":["t"]}"# : "<badge/>"))
    }

    @Test
    func `headers are refused in a change to a template of another platform`() throws {
        var installation = Installation(
            id: "i",
            channel: .gcm(registrationID: "g"),
            templates: [InstallationTemplate(name: "t", body: "{}")]
        )
        let patch = #"[{"op":"add","path":"/templates/t/headers","value":{"a":"b"}}]"#
        let error = #expect(throws: HubValueError.self) {
            try InstallationPatch(reading: Array(patch.utf8)).apply(to: &installation)
        }
        #expect(error?.message == "Template 't is invalid: 'Headers' only acceptable for WNS and MPNS")
    }
}
