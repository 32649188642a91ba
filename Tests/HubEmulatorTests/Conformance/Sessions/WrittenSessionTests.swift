import NewsflashHubRecordings
import Testing

/// Sessions in the form of the recordings, for platforms without a recording. They follow section 4 of the reference.
@Suite("sessions written after the reference", .timeLimit(.minutes(1)))
struct WrittenSessionTests {
    @Test(arguments: registrations)
    func `the emulator answers all calls of a registration's life`(kind: String, elements: String) throws {
        let collection = "/hub/registrations?api-version=2020-06"
        let one = "/hub/registrations/1-2-3?api-version=2020-06"
        func entry(_ etag: Int, _ instant: String) -> String {
            Self.entry(kind, elements, etag: etag, instant: instant)
        }
        let type = ("Content-Type", "application/atom+xml; type=entry; charset=utf-8")
        let forever = "9999-12-31T23:59:59.999"
        let calls = [
            recording(
                collection,
                [type, ("ETag", "W/\"1\""), ("Content-Location", "https://n.servicebus.windows.net\(one)")],
                entry(1, forever)
            ),
            recording(one, [type, ("ETag", "W/\"1\"")], entry(1, forever + "Z")),
            recording(one, [type, ("ETag", "W/\"2\"")], entry(2, forever)),
            recording(one, [], ""),
            recording(
                one,
                [("Content-Type", "application/xml; charset=utf-8")],
                "<Error><Code>404</Code><Detail>.TrackingId:a140fb23-d546-4755-bf45-5e5f1a6c647f_G1,"
                    + "TimeStamp:11/7/2018 12:18:29 AM</Detail></Error>",
                status: 404
            ),
        ]
        let script = try SessionScript(HubSession(name: "dotnet/UpdateRegistrationAsync_\(kind)", calls: calls))
        #expect(script.steps.map(\.request.method) == ["POST", "GET", "PUT", "DELETE", "GET"])
        var replay = SessionReplay(script)
        let differences = replay.differences()
        #expect(differences.isEmpty, "\n\(differences.joined(separator: "\n"))")
    }

    @Test func `the emulator answers all calls of a hub's life`() throws {
        let hub = "/hub?api-version=2017-04"
        let conflict = "<Error><Code>409</Code><Detail>SubCode=40900. Conflict.TrackingId:"
        let calls = [
            recording(
                hub,
                [("Content-Type", "application/atom+xml; type=entry; charset=utf-8")],
                Self.hub,
                status: 201
            ),
            recording(
                hub,
                [("Content-Type", "application/xml; charset=utf-8")],
                conflict + "a140fb23-d546-4755-bf45-5e5f1a6c647f_G1,TimeStamp:11/7/2018 12:18:29 AM</Detail></Error>",
                status: 409
            ),
            recording(hub, [], ""),
        ]
        let script = try SessionScript(HubSession(name: "dotnet/ManagementApi_x", calls: calls))
        #expect(script.steps.map(\.request.method) == ["PUT", "PUT", "DELETE"])
        var replay = SessionReplay(script)
        // The exact text of the conflict is not known.
        let differences = replay.differences().filter { !$0.contains("/Error/Detail") }
        #expect(differences.isEmpty, "\n\(differences.joined(separator: "\n"))")
    }

    private func recording(
        _ target: String,
        _ headers: [(String, String)],
        _ body: String,
        status: Int = 200
    ) -> HubRecording {
        HubRecording(
            target: target,
            status: status,
            headers: headers + [("Date", "Wed, 22 Jul 2020 07:00:59 GMT"), ("Server", "Microsoft-HTTPAPI/2.0")],
            body: body
        )
    }

    private static func entry(_ kind: String, _ elements: String, etag: Int, instant: String) -> String {
        let address = "https://n.servicebus.windows.net/hub/registrations/1-2-3?api-version=2020-06"
        return """
            <entry a:etag="W/&quot;\(etag)&quot;" xmlns="http://www.w3.org/2005/Atom" \
            xmlns:a="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><id>\(address)</id>\
            <title type="text">1-2-3</title><published>2020-07-22T07:00:59Z</published>\
            <updated>2020-07-22T07:00:59Z</updated><link rel="self" href="\(address)"/>\
            <content type="application/xml"><\(kind)RegistrationDescription \
            xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect" \
            xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><ETag>\(etag)</ETag>\
            <ExpirationTime>\(instant)</ExpirationTime><RegistrationId>1-2-3</RegistrationId><Tags>a,b</Tags>\
            \(elements)</\(kind)RegistrationDescription></content></entry>
            """
    }

    private static let hub = """
        <entry xmlns="http://www.w3.org/2005/Atom"><id>https://n.servicebus.windows.net/hub?api-version=2017-04</id>\
        <title type="text">hub</title><published>2020-07-02T18:33:22Z</published><updated>2020-07-02T18:33:22Z</updated>\
        <author><name>n</name></author><link rel="self" href="https://n.servicebus.windows.net/hub?api-version=2017-04"/>\
        <content type="application/xml"><NotificationHubDescription \
        xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect" \
        xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><RegistrationTtl>P10675199DT2H48M5.4775807S</RegistrationTtl>\
        <AuthorizationRules>\(rule("DefaultListen", "Listen"))\(rule("DefaultFull", "Listen", "Manage", "Send"))\
        </AuthorizationRules></NotificationHubDescription></content></entry>
        """

    private static func rule(_ name: String, _ rights: String...) -> String {
        """
        <AuthorizationRule i:type="SharedAccessAuthorizationRule"><ClaimType>SharedAccessKey</ClaimType>\
        <ClaimValue>None</ClaimValue><Rights>\(rights.map { "<AccessRights>\($0)</AccessRights>" }.joined())</Rights>\
        <CreatedTime>2020-07-02T18:33:22.1Z</CreatedTime><ModifiedTime>2020-07-02T18:33:22.1Z</ModifiedTime>\
        <KeyName>\(name)SharedAccessSignature</KeyName><PrimaryKey>a</PrimaryKey><SecondaryKey>b</SecondaryKey>\
        </AuthorizationRule>
        """
    }
}

private let template = "<BodyTemplate><![CDATA[{\"data\":{\"a\":\"$(b)\"}}]]></BodyTemplate>"
private let named = "<TemplateName>t</TemplateName>"

/// The kind of each registration, and its elements after the common ones.
private let registrations = [
    ("Apple", "<DeviceToken>00FC13ADFF785122</DeviceToken>"),
    (
        "AppleTemplate",
        "<DeviceToken>00FC13ADFF785122</DeviceToken><BodyTemplate><![CDATA[{\"aps\":{}}]]></BodyTemplate>"
            + "<Expiry>0</Expiry>\(named)<ApnsHeaders><ApnsHeader><Header>apns-priority</Header><Value>5</Value>"
            + "</ApnsHeader></ApnsHeaders>"
    ),
    ("Gcm", "<GcmRegistrationId>g</GcmRegistrationId>"),
    ("GcmTemplate", "<GcmRegistrationId>g</GcmRegistrationId>\(template)\(named)"),
    ("FcmV1", "<FcmV1RegistrationId>f</FcmV1RegistrationId>"),
    (
        "FcmV1Template",
        "<FcmV1RegistrationId>f</FcmV1RegistrationId><BodyTemplate><![CDATA[{\"message\":{}}]]></BodyTemplate>\(named)"
    ),
    ("Windows", "<ChannelUri>https://some.url/</ChannelUri><SecondaryTileName>s</SecondaryTileName>"),
    (
        "WindowsTemplate",
        "<ChannelUri>https://some.url/</ChannelUri><BodyTemplate><![CDATA[<toast/>]]></BodyTemplate><WnsHeaders>"
            + "<WnsHeader><Header>X-WNS-Type</Header><Value>wns/toast</Value></WnsHeader></WnsHeaders>\(named)"
    ),
    ("Mpns", "<ChannelUri>https://some.url/</ChannelUri>"),
    (
        "MpnsTemplate",
        "<ChannelUri>https://some.url/</ChannelUri><BodyTemplate>"
            + "<![CDATA[<wp:Notification xmlns:wp=\"WPNotification\"><wp:Toast><wp:Text1>$(a)</wp:Text1></wp:Toast>"
            + "</wp:Notification>]]></BodyTemplate><MpnsHeaders><MpnsHeader><Header>X-WindowsPhone-Target</Header>"
            + "<Value>toast</Value></MpnsHeader><MpnsHeader><Header>X-NotificationClass</Header><Value>2</Value>"
            + "</MpnsHeader></MpnsHeaders>\(named)"
    ),
    ("Adm", "<AdmRegistrationId>a</AdmRegistrationId>"),
    ("AdmTemplate", "<AdmRegistrationId>a</AdmRegistrationId>\(template)\(named)"),
    ("Baidu", "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>"),
    ("BaiduTemplate", "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>\(template)\(named)"),
    ("Browser", "<Endpoint>https://push.example.org/1</Endpoint><P256DH>p</P256DH><Auth>a</Auth>"),
    (
        "BrowserTemplate",
        "<Endpoint>https://push.example.org/1</Endpoint><P256DH>p</P256DH><Auth>a</Auth>\(template)\(named)"
    ),
]
