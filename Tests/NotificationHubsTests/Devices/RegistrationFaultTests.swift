import NotificationHubs
import Testing

@Suite("Refused registrations", .timeLimit(.minutes(1)))
struct RegistrationFaultTests {
    struct InvalidDocument: CustomTestStringConvertible {
        var body: String
        var code: HubValueError.Code
        var message: String
        var path = ""

        var testDescription: String { String("\(code.rawValue) \(body)".prefix(120)) }
    }

    private static func apple(_ inside: String) -> String {
        #"<AppleRegistrationDescription xmlns:i="i">\#(inside)</AppleRegistrationDescription>"#
    }

    private static func template(_ inside: String, of kind: String = "Gcm") -> String {
        "<\(kind)TemplateRegistrationDescription><\(kind)RegistrationId>g</\(kind)RegistrationId>\(inside)"
            + "</\(kind)TemplateRegistrationDescription>"
    }

    private static let token = "<DeviceToken>AB</DeviceToken>"
    private static let invalidTag = "Valid tag characters are alphanumeric, _, @, -, ., : and #."

    private static let documents: [InvalidDocument] = [
        InvalidDocument(body: "", code: .deviceSyntax, message: "The request body is not valid XML: "),
        InvalidDocument(body: "{}", code: .deviceSyntax, message: "The request body is not valid XML: "),
        InvalidDocument(body: "<entry>", code: .deviceSyntax, message: "The request body is not valid XML: "),
        InvalidDocument(
            body: "<!DOCTYPE a []><a/>",
            code: .deviceSyntax,
            message: "The request body is not valid XML: a document type"
        ),
        InvalidDocument(
            body: "<entry/>",
            code: .deviceMissing,
            message: "The entry has no registration",
            path: "content"
        ),
        InvalidDocument(
            body: "<entry><content>text</content></entry>",
            code: .deviceMissing,
            message: "The entry has no registration",
            path: "content"
        ),
        InvalidDocument(
            body: "<entry><content><a/></content></entry>",
            code: .deviceUnknownPlatform,
            message: "Unknown RegistrationDescription type."
        ),
        InvalidDocument(
            body: "<RegistrationDescription/>",
            code: .deviceUnknownPlatform,
            message: "Unknown RegistrationDescription type."
        ),
        InvalidDocument(
            body: #"<RegistrationDescription xmlns:i="i" i:type="NokiaXRegistrationDescription"/>"#,
            code: .deviceUnknownPlatform,
            message: "Unknown RegistrationDescription type."
        ),
        InvalidDocument(
            body: "<appleRegistrationDescription/>",
            code: .deviceUnknownPlatform,
            message: "Unknown RegistrationDescription type."
        ),
        InvalidDocument(
            body: apple(token + "<ExpirationTime>2030-01-01T00:00:00Z</ExpirationTime>"),
            code: .deviceExpiration,
            message: "Cannot specify ExpirationTime.",
            path: "ExpirationTime"
        ),
        InvalidDocument(
            body: apple(token + "<ExpirationTime>9999-12-30T23:59:59Z</ExpirationTime>"),
            code: .deviceExpiration,
            message: "Cannot specify ExpirationTime.",
            path: "ExpirationTime"
        ),
        InvalidDocument(
            body: apple(token + "<PushVariables>{</PushVariables>"),
            code: .deviceSyntax,
            message: "The push variables are not valid JSON: ",
            path: "PushVariables"
        ),
        InvalidDocument(
            body: apple(token + "<PushVariables>[]</PushVariables>"),
            code: .deviceWrongType,
            message: "The push variables are not a JSON object.",
            path: "PushVariables"
        ),
        InvalidDocument(
            body: apple(token + #"<PushVariables>{"a":{}}</PushVariables>"#),
            code: .deviceWrongType,
            message: "The value of a push variable is not a string.",
            path: "PushVariables"
        ),
        InvalidDocument(
            body: template("<TemplateName>a</TemplateName>"),
            code: .deviceMissing,
            message: "The element BodyTemplate is missing.",
            path: "BodyTemplate"
        ),
        InvalidDocument(
            body: template(
                "<BodyTemplate>{}</BodyTemplate><TemplateName>\(String(repeating: "n", count: 201))</TemplateName>"
            ),
            code: .deviceInvalidTemplate,
            message: "The template name exceeds the '200' character limit.",
            path: "TemplateName"
        ),
        InvalidDocument(
            body: "<WindowsTemplateRegistrationDescription><BodyTemplate>a</BodyTemplate><WnsHeaders><WnsHeader>"
                + "<Value>1</Value></WnsHeader></WnsHeaders></WindowsTemplateRegistrationDescription>",
            code: .deviceInvalidTemplate,
            message: "A header of the template has no name.",
            path: "WnsHeaders"
        ),
    ]

    private static let tags: [InvalidDocument] = [
        ("a b", "An invalid tag 'a b' was supplied. \(invalidTag)"),
        ("a,,b", "An invalid tag '' was supplied. \(invalidTag)"),
        ("a,", "An invalid tag '' was supplied. \(invalidTag)"),
        ("a;b", "An invalid tag 'a;b' was supplied. \(invalidTag)"),
        ("$InstallationId:x", "An invalid tag '$InstallationId:x' was supplied. \(invalidTag)"),
        ("$Other:{x}", "An invalid tag '$Other:{x}' was supplied. \(invalidTag)"),
        ("$UserId:{}", "An invalid tag '$UserId:{}' was supplied. \(invalidTag)"),
        (
            String(repeating: "t", count: 121),
            "An invalid tag '\(String(repeating: "t", count: 120))' was supplied. A tag"
        ),
        ("$UserId:{a},$userid:{b}", "An invalid tag '$userid:{b}' was supplied. A registration has at most one"),
        ("$InstallationId:{a},b,$InstallationId:{c}", "An invalid tag '$InstallationId:{c}' was supplied. A"),
    ].map { tags, message in
        InvalidDocument(
            body: apple("<Tags>\(tags)</Tags>" + token),
            code: .deviceInvalidTag,
            message: message,
            path: "Tags"
        )
    }

    private static let handles: [InvalidDocument] = [
        ("Apple", "DeviceToken", "", "Device token is either empty OR it has odd number of nibbles."),
        ("Apple", "DeviceToken", "ABC", "Device token is either empty OR it has odd number of nibbles."),
        ("Apple", "DeviceToken", "XY", "One or more characters in device token is not a hexadecimal digit."),
        ("Gcm", "GcmRegistrationId", "", "GCM Registration Id is invalid."),
        ("Gcm", "GcmRegistrationId", "a b", "GCM Registration Id is invalid."),
        ("FcmV1", "FcmV1RegistrationId", "", "FCM V1 Registration Id is invalid."),
        ("Windows", "ChannelUri", "", "Channel URI is either null, empty or not absolute value."),
        ("Windows", "ChannelUri", "a/b", "Channel URI is either null, empty or not absolute value."),
        ("Windows", "ChannelUri", "1a:b", "Channel URI is either null, empty or not absolute value."),
        ("Mpns", "ChannelUri", "http:", "Channel URI is either null, empty or not absolute value."),
        ("Adm", "AdmRegistrationId", "", "ADM Registration Id is invalid."),
        ("Xiaomi", "XiaomiRegistrationId", "", "Xiaomi Registration Id is invalid."),
        ("Baidu", "BaiduUserId", "1", "Baidu Registration Id is invalid."),
        (
            "Browser", "Endpoint", "https://a",
            "Browser push channel is invalid: endpoint, p256dh and auth are required."
        ),
    ].map { kind, element, handle, message in
        InvalidDocument(
            body: "<\(kind)RegistrationDescription><\(element)>\(handle)</\(element)></\(kind)RegistrationDescription>",
            code: .deviceInvalidChannel,
            message: message,
            path: element
        )
    }

    @Test(arguments: documents + tags + handles)
    func `a registration that the hub refuses is refused with the hub's text`(_ fault: InvalidDocument) {
        let error = #expect(throws: HubValueError.self) { try RegistrationXML.read(Array(fault.body.utf8)) }
        #expect(error?.code == fault.code)
        #expect(error?.message.hasPrefix(fault.message) == true, "\(error?.message ?? "")")
        #expect(error?.path == fault.path)
    }

    @Test
    func `sixty tags are accepted, and one more is refused`() throws {
        func body(_ count: Int) -> [UInt8] {
            let tags = (0..<count).map { "t\($0)" }.joined(separator: ",")
            return Array(Self.apple("<Tags>$UserId:{u},\(tags)</Tags>" + Self.token).utf8)
        }
        #expect(try RegistrationXML.read(body(60)).tags.count == 61)
        let error = #expect(throws: HubValueError.self) { try RegistrationXML.read(body(61)) }
        #expect(error?.code == .deviceTooManyTags)
    }

    @Test
    func `tags of more than eight thousand bytes are refused with their size`() {
        func error(_ size: Int) -> HubValueError? {
            // 66 tags, each followed by a comma, and a last one.
            var tags = (10..<76).map { String($0) + String(repeating: "x", count: 118) }
            tags.append(String(repeating: "y", count: size - 66 * 121))
            let body = Self.apple("<Tags>\(tags.joined(separator: ", "))</Tags>" + Self.token)
            return #expect(throws: HubValueError.self) { try RegistrationXML.read(Array(body.utf8)) }
        }
        #expect(error(8000)?.code == .deviceTooManyTags)
        #expect(error(8001)?.code == .deviceTagsTooLarge)
        #expect(
            error(8001)?.message
                == "Registration Tags serialized size is more than maximum supported value. "
                + "Actual Size: '8001' and Max Allowed Size: '8000'"
        )
    }

    @Test
    func `an error shows its path and label and no handle`() {
        let error = #expect(throws: HubValueError.self) {
            try RegistrationXML.read(Array(Self.apple("<DeviceToken>SECRET</DeviceToken>").utf8))
        }
        #expect(
            error?.description
                == "One or more characters in device token is not a hexadecimal digit. (in DeviceToken) [device_invalid_channel]"
        )
    }
}
