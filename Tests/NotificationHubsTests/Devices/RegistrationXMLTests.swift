import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Registrations in XML", .timeLimit(.minutes(1)))
struct RegistrationXMLTests {
    private func read(_ text: String) throws -> RegistrationDescription {
        try RegistrationXML.read(Array(text.utf8))
    }

    private func entry(_ content: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <entry xmlns="http://www.w3.org/2005/Atom"><title>x</title><content type="application/xml">\(content)</content></entry>
        """
    }

    @Test(arguments: [
        "<AppleRegistrationDescription><Tags>a</Tags><DeviceToken>00fc</DeviceToken></AppleRegistrationDescription>",
        #"<RegistrationDescription xmlns:i="http://x" i:type="AppleRegistrationDescription"><Tags>a</Tags>"#
            + "<DeviceToken>00fc</DeviceToken></RegistrationDescription>",
        #"<s:RegistrationDescription xmlns:s="s" xmlns:i="i" i:type="s:AppleRegistrationDescription">"#
            + "<s:DeviceToken>00fc</s:DeviceToken><s:Tags> a </s:Tags></s:RegistrationDescription>",
        #"<AppleRegistrationDescription xmlns:i="i"><New><DeviceToken>11</DeviceToken></New><ETag>7</ETag>"#
            + #"<ExpirationTime i:nil="true"/><RegistrationId>1-2-3</RegistrationId><DeviceToken> 00fc"#
            + "\n</DeviceToken><PushVariables/><Tags>a,a</Tags></AppleRegistrationDescription>",
        "<AppleRegistrationDescription><ExpirationTime>9999-12-31T23:59:59.9999999</ExpirationTime>"
            + "<Tags>a</Tags><DeviceToken>00fc</DeviceToken></AppleRegistrationDescription>",
    ])
    func `one device may have many spellings`(_ content: String) throws {
        let wanted = try RegistrationDescription(channel: .apns(deviceToken: "00FC"), tags: [Tag("a")])
        #expect(try read(content) == wanted)
        #expect(try read(entry(content)) == wanted)
    }

    @Test
    func `a template of Apple keeps every field`() throws {
        let description = try read(
            entry(
                """
                <AppleTemplateRegistrationDescription xmlns:i="i"><TemplateName>alerts</TemplateName>
                <ApnsHeaders><ApnsHeader><Header>apns-priority</Header><Value>$(p)</Value></ApnsHeader></ApnsHeaders>
                <Priority>10</Priority><Expiry>$(expiry)</Expiry>
                <BodyTemplate><![CDATA[{"aps":{"alert":"$(News_English)"}}]]></BodyTemplate><DeviceToken>AB</DeviceToken>
                <PushVariables>{"lang":"en","n":1,"b":true}</PushVariables>
                <Tags>breaking, world,$InstallationId:{a=b},$UserId:{u}</Tags></AppleTemplateRegistrationDescription>
                """
            )
        )
        #expect(description.tags.map(\.description) == ["breaking", "world", "$InstallationId:{a=b}", "$UserId:{u}"])
        #expect(description.pushVariables == [.init("lang", "en"), .init("n", "1"), .init("b", "true")])
        #expect(
            description.template
                == TemplateDescription(
                    name: "alerts",
                    body: #"{"aps":{"alert":"$(News_English)"}}"#,
                    headers: [NamedValue("apns-priority", "$(p)")],
                    expiry: "$(expiry)",
                    priority: "10"
                )
        )
    }

    @Test
    func `a template's name that is not a tag may return among the tags`() throws {
        let description = try read(
            "<GcmTemplateRegistrationDescription><Tags>$InstallationId:{i},Template Name</Tags>"
                + "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{}</BodyTemplate>"
                + "<TemplateName>Template Name</TemplateName></GcmTemplateRegistrationDescription>"
        )
        #expect(description.tags.map(\.description) == ["$InstallationId:{i}"])
    }

    @Test
    func `single bytes of Latin-1 are parsed as such`() throws {
        let body = "<MpnsRegistrationDescription><ChannelUri>http://a</ChannelUri><SecondaryTileName>"
        let bytes = Array(body.utf8) + [0xE9] + "</SecondaryTileName></MpnsRegistrationDescription>".utf8
        #expect(try RegistrationXML.read(bytes).secondaryTileName == "é")
    }

    private static let channels: [(PushChannel, String)] = [
        (.apns(deviceToken: "00FC"), "DeviceToken BodyTemplate Expiry TemplateName Priority ApnsHeaders"),
        (.fcmv1(registrationID: "f:1"), "FcmV1RegistrationId BodyTemplate TemplateName"),
        (.gcm(registrationID: "g"), "GcmRegistrationId BodyTemplate TemplateName"),
        (.wns(uri: "https://a/?b=%20&c"), "ChannelUri SecondaryTileName BodyTemplate WnsHeaders TemplateName"),
        (.mpns(uri: "http://a"), "ChannelUri SecondaryTileName BodyTemplate MpnsHeaders TemplateName"),
        (.adm(registrationID: "a"), "AdmRegistrationId BodyTemplate TemplateName"),
        (.baidu(userID: "1", channelID: "2"), "BaiduUserId BaiduChannelId BodyTemplate TemplateName"),
        (.browser(endpoint: "https://e", p256dh: "p", auth: "a"), "Endpoint P256DH Auth BodyTemplate TemplateName"),
        (.xiaomi(registrationID: "x"), "XiaomiRegistrationId BodyTemplate TemplateName"),
    ]

    @Test(arguments: channels)
    func `a template of every platform is written in its order and parsed again`(
        _ channel: PushChannel,
        _ elements: String
    ) throws {
        let hasHeaders = elements.contains("Headers")
        let isApple = channel.platform == .apns
        let description = try RegistrationDescription(
            channel: channel,
            tags: [Tag("a"), Tag("b")],
            pushVariables: [NamedValue("x", "<&\"")],
            secondaryTileName: elements.contains("Tile") ? "t" : nil,
            template: TemplateDescription(
                name: "n",
                body: "a]]>b&",
                headers: hasHeaders ? [NamedValue("h", "1"), NamedValue("i", "2")] : [],
                expiry: isApple ? "0" : nil,
                priority: isApple ? "5" : nil
            )
        )
        #expect(try RegistrationXML.read(RegistrationXML.request(description)) == description)

        let expiration = Timestamp(seconds: 1_541_549_912)
        let registration = Registration(id: "1-2", etag: 3, expiration: expiration, description: description)
        var writer = XMLWriter()
        RegistrationXML.write(registration, to: &writer, for: .answerToWrite)
        #expect(try RegistrationXML.readAnswer(writer.bytes) == registration)
        let written = try XMLReader.read(writer.bytes)
        #expect(written.first("ExpirationTime")?.text == "2018-11-07T00:18:32.000")
        #expect(
            written.elements.map(\.name).joined(separator: " ")
                == "ETag ExpirationTime RegistrationId Tags PushVariables " + elements
        )
    }

    @Test(arguments: channels)
    func `a native registration of every platform is written and parsed again`(
        _ channel: PushChannel,
        _ elements: String
    ) throws {
        let description = RegistrationDescription(channel: channel)
        #expect(try RegistrationXML.read(RegistrationXML.request(description)) == description)
        var writer = XMLWriter()
        RegistrationXML.write(Registration(id: "1", description: description), to: &writer, for: .answerToRead)
        let names = try XMLReader.read(writer.bytes).elements.dropFirst(3).map(\.name)
        #expect(elements.hasPrefix(names.joined(separator: " ")))
    }

    @Test
    func `missing values of a template are nil or empty, as the service writes them`() throws {
        func written(_ channel: PushChannel) -> String {
            var writer = XMLWriter()
            let description = RegistrationDescription(channel: channel, template: TemplateDescription(body: "{}"))
            RegistrationXML.write(Registration(id: "1", description: description), to: &writer, for: .answerToRead)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(
            written(.apns(deviceToken: "AB")).contains(
                #"</BodyTemplate><Expiry i:nil="true"/><TemplateName i:nil="true"/><ApnsHeaders/></Apple"#
            )
        )
        #expect(written(.wns(uri: "a:b")).contains(#"<WnsHeaders/><TemplateName i:nil="true"/></Windows"#))
    }

    @Test
    func `a registration that the hub refuses is not written`() {
        let description = RegistrationDescription(channel: .apns(deviceToken: "xyz!"))
        #expect(throws: HubValueError.self) { try RegistrationXML.request(description) }
    }
}
