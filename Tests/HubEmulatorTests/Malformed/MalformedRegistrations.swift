import NewsflashHTTPTransport

/// Registrations and lists of registrations that the service refuses; sections 4.1, 4.2, 5 and 6.
extension MalformedRequest {
    /// The entry of a registration. The root is a name without `>`, because attributes may follow.
    static func entry(_ root: String, _ elements: String) -> String {
        let name = root.dropFirst().prefix { $0 != " " }
        return
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + root + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
            + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">\(elements)</\(name)></content></entry>"
    }

    private static func registration(
        _ what: String,
        _ method: String = "POST",
        _ path: String = "registrations",
        headers: HTTPHeaders = [],
        body: String,
        status: Int = 400,
        _ text: String
    ) -> MalformedRequest {
        MalformedRequest(
            what: "a registration: " + what,
            status: status,
            text: text,
            method: method,
            path: path,
            headers: headers,
            body: Array(body.utf8)
        )
    }

    private static func apple(_ what: String, token: String = "00FC", more: String = "", _ text: String)
        -> MalformedRequest
    {
        registration(
            what,
            body: entry("<AppleRegistrationDescription", more + "<DeviceToken>\(token)</DeviceToken>"),
            text
        )
    }

    private static func template(_ what: String, _ body: String, more: String = "", _ text: String) -> MalformedRequest
    {
        registration(
            "a template: " + what,
            body: entry(
                "<AppleTemplateRegistrationDescription",
                "<DeviceToken>00FC</DeviceToken><BodyTemplate><![CDATA[\(body)]]></BodyTemplate>" + more
            ),
            text
        )
    }

    static let registrations = documents + channels + templates + conditions

    private static let documents = [
        registration("no body", body: "", "The request body is not valid XML"),
        registration("JSON", body: "{}", "The request body is not valid XML"),
        registration("half a document", body: "<entry><content>", "The request body is not valid XML"),
        registration("another root", body: "<feed/>", "Unknown RegistrationDescription type."),
        registration(
            "an empty entry",
            body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"/>",
            "The entry has no registration in its content."
        ),
        registration(
            "an empty content",
            body: "<entry><content type=\"application/xml\"></content></entry>",
            "The entry has no registration in its content."
        ),
        registration(
            "an unknown platform",
            body: entry("<FaxRegistrationDescription", "<Number>1</Number>"),
            "Unknown RegistrationDescription type."
        ),
        registration(
            "an unknown type",
            body: entry("<RegistrationDescription i:type=\"Fax\"", "<Number>1</Number>"),
            ""
        ),
        registration("no type", body: entry("<RegistrationDescription", "<DeviceToken>00FC</DeviceToken>"), ""),
        registration(
            "entities that grow",
            body:
                "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]><entry>&c;</entry>",
            "The request body is not valid XML"
        ),
        registration(
            "a file of this machine",
            body: "<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><entry>&f;</entry>",
            "The request body is not valid XML"
        ),
        registration(
            "elements nested without end",
            body: String(repeating: "<a>", count: 20_000),
            "The request body is not valid XML"
        ),
        registration(
            "an element that is closed twice",
            body: "<entry></entry></entry>",
            "The request body is not valid XML"
        ),
        registration("HTML that is not XML", body: "<html><br></html>", "The request body is not valid XML"),
    ]

    private static let channels = [
        apple("no token", token: "", "Device token is either empty OR it has odd number of nibbles."),
        apple("half a byte", token: "00F", "Device token is either empty OR it has odd number of nibbles."),
        apple(
            "a token that is not hexadecimal",
            token: "00FG",
            "One or more characters in device token is not a hexadecimal digit."
        ),
        registration("no handle at all", body: entry("<GcmRegistrationDescription", ""), ""),
        registration(
            "a handle with blanks",
            body: entry("<FcmV1RegistrationDescription", "<FcmV1RegistrationId>a b</FcmV1RegistrationId>"),
            "FCM V1 Registration Id is invalid."
        ),
        registration(
            "a relative channel",
            body: entry("<WindowsRegistrationDescription", "<ChannelUri>/channel</ChannelUri>"),
            "Channel URI is either null, empty or not absolute value."
        ),
        registration(
            "half a handle of Baidu",
            body: entry("<BaiduRegistrationDescription", "<BaiduUserId>a</BaiduUserId>"),
            ""
        ),
        registration(
            "a browser without keys",
            body: entry("<BrowserRegistrationDescription", "<Endpoint>https://push.example/1</Endpoint>"),
            ""
        ),
        apple(
            "a tag with a blank",
            more: "<Tags>a,b c</Tags>",
            "An invalid tag 'b c' was supplied. Valid tag characters are alphanumeric, _, @, -, ., : and #."
        ),
        apple("a long tag", more: "<Tags>\(String(repeating: "a", count: 121))</Tags>", "An invalid tag 'aaaa"),
        apple(
            "61 tags",
            more: "<Tags>" + (0...60).map { "t\($0)" }.joined(separator: ",") + "</Tags>",
            "A registration has at most 60 tags"
        ),
        apple(
            "too many bytes of tags",
            more: "<Tags>" + (10...79).map { String(repeating: "t", count: 117) + "\($0)" }.joined(separator: ",")
                + "</Tags>",
            "Registration Tags serialized size is more than maximum supported value. Actual Size: '"
        ),
        apple("two users", more: "<Tags>$UserId:{a},$UserId:{b}</Tags>", "An invalid tag '$UserId:{b}' was supplied."),
        apple(
            "an expiration time of its own",
            more: "<ExpirationTime>2030-01-01T00:00:00Z</ExpirationTime>",
            "Cannot specify ExpirationTime."
        ),
        apple(
            "push variables that are not JSON",
            more: "<PushVariables>a=b</PushVariables>",
            "The push variables are not valid JSON"
        ),
        apple(
            "push variables that are objects",
            more: "<PushVariables>{\"a\":{}}</PushVariables>",
            "The value of a push variable is not a string."
        ),
    ]

    private static let templates = [
        registration(
            "a template without a body",
            body: entry("<AppleTemplateRegistrationDescription", "<DeviceToken>00FC</DeviceToken>"),
            "The element BodyTemplate is missing."
        ),
        template("that is not JSON", "{", "Failed to deserialize the body template."),
        template("an array", "[]", "Failed to deserialize the body template."),
        template("a colour", ##"{"a":"#000000"}"##, ""),
        template("words after an expression", #"{"a":"$(b) and"}"#, ""),
        template("no closing parenthesis", #"{"a":"$(b"}"#, "Missing closing parentheses"),
        template("no opening parenthesis", #"{"a":"$b)"}"#, "The character following $ or . or % should be a ("),
        template("an open literal", #"{"a":"{'b}"}"#, ""),
        template("another operator", #"{"a":"{$(b) - $(c)}"}"#, "Only valid composition operator is +"),
        template("an invalid length", #"{"a":"$(b, x)"}"#, ""), template("a length for %", #"{"a":"%(b, 3)"}"#, ""),
        template("no length for .", #"{"a":".(b)"}"#, ""),
        template("a number in a composition", ##"{"a":"{#(b) + 'c'}"}"##, ""),
        template("the whole body", #"{"a":"$body"}"#, ""), template("an expression as a name", #"{"$(a)":"b"}"#, ""),
        template("an empty expiry", "{}", more: "<Expiry></Expiry>", ""),
        template("an invalid expiry", "{}", more: "<Expiry>soon</Expiry>", ""),
        template(
            "a long name",
            "{}",
            more: "<TemplateName>\(String(repeating: "n", count: 201))</TemplateName>",
            "The template name exceeds the '200' character limit."
        ),
        template(
            "a header of another platform",
            "{}",
            more: "<ApnsHeaders><ApnsHeader><Header>X-WNS-Type</Header><Value>a</Value></ApnsHeader></ApnsHeaders>",
            ""
        ),
        registration(
            "a template: no toast",
            body: entry(
                "<WindowsTemplateRegistrationDescription",
                "<ChannelUri>https://a/b</ChannelUri><BodyTemplate><![CDATA[<a/>]]></BodyTemplate>"
            ),
            "The bodyTemplate is not in accepted XML format."
        ),
    ]

    private static let conditions = [
        registration(
            "a condition that is not an ETag",
            "PUT",
            "registrations/1-2-1",
            headers: [Header.ifMatch("one")],
            body: entry("<AppleRegistrationDescription", "<DeviceToken>00</DeviceToken>"),
            "The value of the header If-Match is not an ETag."
        ),
        registration(
            "a condition with half a quote",
            "DELETE",
            "registrations/1-2-1",
            headers: [Header.ifMatch("W/\"1")],
            body: "",
            "The value of the header If-Match is not an ETag."
        ),
        registration(
            "a stale ETag",
            "PUT",
            "registrations/1-2-1",
            headers: [Header.ifMatch("\"7\"")],
            body: entry("<AppleRegistrationDescription", "<DeviceToken>00</DeviceToken>"),
            status: 412,
            ""
        ),
        registration(
            "a stale ETag to delete",
            "DELETE",
            "registrations/1-2-1",
            headers: [Header.ifMatch("W/\"7\"")],
            body: "",
            status: 412,
            ""
        ),
        registration(
            "a condition on a missing registration",
            "PUT",
            "registrations/9-9-1",
            headers: [Header.ifMatch("*")],
            body: entry("<AppleRegistrationDescription", "<DeviceToken>00</DeviceToken>"),
            status: 404,
            ""
        ),
        registration(
            "a deletion of a missing registration",
            "DELETE",
            "registrations/9-9-1",
            headers: [Header.ifMatch("*")],
            body: "",
            status: 404,
            ""
        ),
        registration("a read of a missing registration", "GET", "registrations/9-9-1", body: "", status: 404, ""),
        registration(
            "an id that the hub did not give",
            "PUT",
            "registrations/mine",
            body: entry("<AppleRegistrationDescription", "<DeviceToken>00</DeviceToken>"),
            status: 410,
            "Cannot use specified location. Use a different registration ID"
        ),
    ]

    static let lists =
        [
            ("$top=0", "The value of $top"), ("$top=-1", "The value of $top"), ("$top=many", "The value of $top"),
            ("$top=99999999999999999999", "The value of $top"),
            ("continuationtoken=x", "The continuation token is not valid."),
            ("continuationtoken=%25%25", "The continuation token is not valid."),
            ("continuationtoken=OTk5OTk5OTk5OTk5", "The continuation token is not valid."),
            ("$filter=", "The filter is not supported."),
            ("$filter=x", "The filter is not supported."),
            ("$filter=ChannelUri+ne+'a'", "The filter is not supported."),

            ("$filter=Tag+eq+'a'", "The filter is not supported."),

            ("$filter=BaiduUserId+eq+'a'", "The filter is not supported."),
            ("$filter=P256DH+eq+'a'", "The filter is not supported."),
        ].map { query, text in
            registration("a list with \(query)", "GET", "registrations?" + query, body: "", text)
        }
        + ["a%20b", "a,b", String(repeating: "t", count: 121), "%24UserId:a"].map { tag in
            registration("a list by the tag \(tag)", "GET", "tags/\(tag)/registrations", body: "", "An invalid tag '")
        }
}
