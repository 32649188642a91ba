import NotificationHubs
import Testing

@Suite("Filters of lists by device", .timeLimit(.minutes(1)))
struct ChannelFilterTests {
    private static let browser = PushChannel.browser(endpoint: "https://e/?a=b", p256dh: "P=", auth: "A")

    @Test(arguments: [
        ("ChannelUri+eq+%2700FC%27", PushChannel.apns(deviceToken: "00FC")),
        ("ChannelUri%20eq%20'00fc'", .apns(deviceToken: "00FC")),
        ("channeluri eq 'g'", .gcm(registrationID: "g")),
        ("ChannelUri eq 'f'", .fcmv1(registrationID: "f")),
        ("ChannelUri eq '1-2'", .baidu(userID: "1", channelID: "2")),
        ("ChannelUri eq 'https://a/?b=c'", .wns(uri: "https://a/?b=c")),
        ("ChannelUri+eq+%27https%253A%252F%252Fa%252F%253Fb%253Dc%27", .wns(uri: "https://a/?b=c")),
        ("ChannelUri eq 'it''s'", .mpns(uri: "it's")),
        ("DeviceToken eq '00fc'", .apns(deviceToken: "00FC")),
        ("GcmRegistrationId eq 'g'", .gcm(registrationID: "g")),
        ("FcmV1RegistrationId eq 'f'", .fcmv1(registrationID: "f")),
        ("AdmRegistrationId eq 'a'", .adm(registrationID: "a")),
        ("XiaomiRegistrationId eq 'x'", .xiaomi(registrationID: "x")),
        ("BaiduChannelId eq '2' and BaiduUserId eq '1'", .baidu(userID: "1", channelID: "2")),
        ("BaiduChannelId eq 2' and BaiduUserId eq '1'", .baidu(userID: "1", channelID: "2")),
        ("BaiduChannelId eq '2 AND BaiduUserId eq '1", .baidu(userID: "1", channelID: "2")),
        ("Endpoint eq 'https%253A%252F%252Fe%252F%253Fa%253Db' and P256DH eq 'P=' and Auth eq 'A'", browser),
        ("Endpoint eq 'https://e/?a=b'", browser),
        ("ChannelUri eq 'https://e/?a=b'", browser),
        ("ChannelUri eq 'a and b'", .mpns(uri: "a and b")),
    ])
    func `a device is found in every spelling of its channel`(_ query: String, _ channel: PushChannel) throws {
        let filter = try ChannelFilter(query: query)
        #expect(filter.matches(channel))
        #expect(filter.handles.contains(channel.handle))
    }

    @Test(arguments: [
        ("DeviceToken eq 'AB'", PushChannel.gcm(registrationID: "AB")),
        ("GcmRegistrationId eq 'a'", .fcmv1(registrationID: "a")),
        ("GcmRegistrationId eq 'a'", .gcm(registrationID: "A")),
        ("ChannelUri eq 'a'", .gcm(registrationID: "b")),
        ("BaiduChannelId eq '1' and BaiduUserId eq '2'", .baidu(userID: "1", channelID: "2")),
        ("Endpoint eq 'https://e/?a=b' and P256DH eq 'X' and Auth eq 'A'", browser),
        ("Endpoint eq 'https://e/?a=b' and P256DH eq 'P=' and Auth eq 'X'", browser),
    ])
    func `another device does not match`(_ query: String, _ channel: PushChannel) throws {
        #expect(try !ChannelFilter(query: query).matches(channel))
    }

    @Test(arguments: [
        "", " ", "ChannelUri", "ChannelUri eq", "ChannelUri eq ''", "ChannelUri ne 'a'", "Other eq 'a'", "eq 'a'",
        "BaiduUserId eq '1'", "BaiduChannelId eq '1'", "P256DH eq 'a'", "Auth eq 'a' and P256DH eq 'b'",
        "DeviceToken eq 'AB' and GcmRegistrationId eq 'a'", "ChannelUri eq 'a' and ChannelUri eq 'b'",
        "Endpoint eq 'a' and DeviceToken eq 'AB'", "%FF",
    ])
    func `a filter that is not about a device is refused`(_ query: String) {
        let error = #expect(throws: HubValueError.self) { try ChannelFilter(query: query) }
        #expect(error?.code == .deviceInvalidFilter)
    }
}
