import NewsflashHTTPTransport

/// Installations and patches that the service refuses; sections 4.3, 5 and 6.
extension MalformedRequest {
    private static func installation(
        _ what: String,
        _ method: String = "PUT",
        _ path: String = "installations/i-2",
        body: String,
        status: Int = 400,
        _ text: String
    ) -> MalformedRequest {
        MalformedRequest(
            what: "an installation: " + what,
            status: status,
            text: text,
            method: method,
            path: path,
            headers: [Header.type("application/json")],
            body: Array(body.utf8)
        )
    }

    /// An Apple installation with one additional member, which may be invalid.
    private static func apple(_ what: String, _ member: String, _ text: String) -> MalformedRequest {
        installation(what, body: #"{"platform":"apns","pushChannel":"00FC",\#(member)}"#, text)
    }

    static let installations = [
        installation("no body", body: "", "The request body is not valid JSON"),
        installation("XML", body: "<a/>", "The request body is not valid JSON"),
        installation("half an object", body: #"{"platform":"#, "The request body is not valid JSON"),
        installation("an array", body: "[]", "The installation is not a JSON object."),
        installation(
            "a member twice",
            body: #"{"platform":"apns","platform":"gcm","pushChannel":"a"}"#,
            "The request body is not valid JSON"
        ),
        installation("no platform", body: #"{"pushChannel":"00FC"}"#, "The installation has no platform."),
        installation(
            "an unknown platform",
            body: #"{"platform":"fax","pushChannel":"1"}"#,
            "The platform of an installation must be one of"
        ),
        installation(
            "a number for a platform",
            body: #"{"platform":1,"pushChannel":"1"}"#,
            "The platform must be a string"
        ),
        installation("no channel", body: #"{"platform":"apns"}"#, "The installation has no pushChannel."),
        installation(
            "an empty channel",
            body: #"{"platform":"gcm","pushChannel":""}"#,
            "GCM Registration Id is invalid."
        ),
        installation("a number for a channel", body: #"{"platform":"apns","pushChannel":12}"#, ""),
        installation(
            "half a byte",
            body: #"{"platform":"apns","pushChannel":"00F"}"#,
            "Device token is either empty OR it has odd number of nibbles."
        ),
        installation(
            "a channel that is not hexadecimal",
            body: #"{"platform":"apns","pushChannel":"00FG"}"#,
            "One or more characters in device token"
        ),
        installation(
            "a relative channel",
            body: #"{"platform":"wns","pushChannel":"/a"}"#,
            "Channel URI is either null, empty or not absolute value."
        ),
        installation(
            "a browser without keys",
            body: #"{"platform":"browser","pushChannel":{"endpoint":"https://a/b"}}"#,
            ""
        ),
        installation("a browser's channel that is not JSON", body: #"{"platform":"browser","pushChannel":"{"}"#, ""),
        apple(
            "another id than the address",
            #""installationId":"i-3""#,
            "The installation id of the body is not that of the address."
        ),
        apple("a number for an id", #""installationId":3"#, "The installation id must be a string"),
        installation(
            "an id with blanks",
            "PUT",
            "installations/i%202",
            body: #"{"platform":"apns","pushChannel":"00FC"}"#,
            "The installation id is invalid."
        ),
        installation(
            "an id with a brace",
            "PUT",
            "installations/i%7D",
            body: #"{"platform":"apns","pushChannel":"00FC"}"#,
            "The installation id is invalid."
        ),
        apple("a user with blanks", #""userId":"a b""#, "The user id is invalid."),
        apple("a number for a user", #""userId":7"#, ""),
        apple("a text for tags", #""tags":"a""#, ""), apple("numbers for tags", #""tags":[1]"#, ""),
        apple(
            "a tag with a blank",
            #""tags":["a","b c"]"#,
            "An invalid tag 'b c' was supplied. Valid tag characters are alphanumeric, _, @, -, ., : and #."
        ),
        apple(
            "an installation's tag without braces",
            #""tags":["$InstallationId:abc"]"#,
            "An invalid tag '$InstallationId:abc' was supplied."
        ),
        apple(
            "61 tags",
            #""tags":["# + (0...60).map { #""t\#($0)""# }.joined(separator: ",") + "]",
            "A registration has at most 60 tags"
        ),
        apple("an array for templates", #""templates":[]"#, ""),
        apple("a text for a template", #""templates":{"t":"{}"}"#, ""),
        apple("a template without a body", #""templates":{"t":{}}"#, "A template has no body."),
        apple(
            "a template that is not JSON",
            #""templates":{"t":{"body":"{"}}"#,
            "Failed to deserialize the body template."
        ),
        apple(
            "a template's open expression",
            #""templates":{"t":{"body":"{\"a\":\"$(b\"}"}}"#,
            "Missing closing parentheses"
        ),
        apple("a template without a name", #""templates":{"":{"body":"{}"}}"#, "A template has no name."),
        apple(
            "a template with headers",
            #""templates":{"hello":{"body":"{}","headers":{"X-WNS-Type":"wns/toast"}}}"#,
            "Template 'hello is invalid: 'Headers' only acceptable for WNS and MPNS"
        ),
        apple(
            "a template with a wrong tag",
            #""templates":{"t":{"body":"{}","tags":["a b"]}}"#,
            "An invalid tag 'a b' was supplied."
        ),
        apple("a template whose expiry is a number", #""templates":{"t":{"body":"{}","expiry":0}}"#, ""),
        apple(
            "tiles",
            #""secondaryTiles":{"t":{"pushChannel":"00FC"}}"#,
            "Secondary tiles are only acceptable for WNS."
        ),
        apple("push variables that are an array", #""pushVariables":[]"#, "The push variables are not a JSON object."),
        apple(
            "a push variable that is an object",
            #""pushVariables":{"a":{}}"#,
            "The value of a push variable is not a string."
        ),
        installation(
            "a missing one to read",
            "GET",
            "installations/none",
            body: "",
            status: 404,
            "Installation not found"
        ),
        installation(
            "a missing installation",
            "PATCH",
            "installations/none",
            body: "[]",
            status: 404,
            "Installation not found"
        ),
    ]

    private static func patch(_ what: String, _ body: String, _ text: String) -> MalformedRequest {
        installation("a change: " + what, "PATCH", "installations/i-1", body: body, text)
    }

    static let patches = [
        patch("no body", "", "The request body is not valid JSON"),
        patch("an object", "{}", "The changes to an installation must be a JSON array."),
        patch("a text", #"["a"]"#, ""), patch("no op", #"[{"path":"/tags","value":"b"}]"#, "A change has no op."),
        patch(
            "an unknown op",
            #"[{"op":"move","path":"/tags","value":"b"}]"#,
            "The op of a change must be add, remove or replace."
        ),
        patch("no path", #"[{"op":"add","value":"b"}]"#, "A change has no path."),
        patch("no value", #"[{"op":"add","path":"/tags"}]"#, "A change has no value."),
        patch(
            "an unknown path",
            #"[{"op":"add","path":"/platform","value":"gcm"}]"#,
            "The path of a change is not supported with its op."
        ),
        patch(
            "the root",
            #"[{"op":"replace","path":"","value":"{}"}]"#,
            "The path of a change is not supported with its op."
        ),
        patch(
            "a removed channel",
            #"[{"op":"remove","path":"/pushChannel"}]"#,
            "The pushChannel can be replaced but not removed."
        ),
        patch(
            "a wrong channel",
            #"[{"op":"replace","path":"/pushChannel","value":"00F"}]"#,
            "Device token is either empty OR it has odd number of nibbles."
        ),
        patch("a wrong tag", #"[{"op":"add","path":"/tags","value":"b c"}]"#, "An invalid tag 'b c' was supplied."),
        patch("a number for a tag", #"[{"op":"add","path":"/tags","value":7}]"#, ""),
        patch(
            "a tag added by its path",
            #"[{"op":"add","path":"/tags/b","value":"b"}]"#,
            "The path of a change is not supported with its op."
        ),
        patch("a wrong user", #"[{"op":"replace","path":"/userId","value":"a b"}]"#, "The user id is invalid."),
        patch(
            "a part of a missing template",
            #"[{"op":"replace","path":"/templates/none/body","value":"{}"}]"#,
            "The installation has no such template."
        ),
        patch(
            "an unknown part of a template",
            #"[{"op":"replace","path":"/templates/t/colour","value":"red"}]"#,
            "The path of a change is not supported with its op."
        ),
        patch(
            "a template that is not JSON",
            #"[{"op":"replace","path":"/templates/t/body","value":"{"}]"#,
            "Failed to deserialize the body template."
        ),
        patch(
            "a template's open expression",
            #"[{"op":"add","path":"/templates/u","value":"{\"body\":\"{\\\"a\\\":\\\"$(b\\\"}\"}"}]"#,
            "Missing closing parentheses"
        ),
        patch(
            "headers for Apple",
            #"[{"op":"add","path":"/templates/t/headers","value":"{\"X-WNS-Type\":\"wns/raw\"}"}]"#,
            "Template 't is invalid: 'Headers' only acceptable for WNS and MPNS"
        ),
        patch(
            "one right and one wrong",
            #"[{"op":"add","path":"/tags","value":"b"},{"op":"remove","path":"/pushChannel"}]"#,
            "The pushChannel can be replaced but not removed."
        ),
    ]
}
