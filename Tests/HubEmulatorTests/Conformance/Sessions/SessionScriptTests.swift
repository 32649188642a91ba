import NewsflashHTTPTransport
import NewsflashHubRecordings
import Testing

@Suite("the requests behind recorded answers", .timeLimit(.minutes(1)))
struct SessionScriptTests {
    @Test(
        .needsRecordings,
        arguments: [
            ("CreateOrUpdateInstallationAsync_CreateInstallationWithExpiry", "GET DELETE PUT GET"),
            ("CreateOrUpdateRegistrationAsync_Upsert", "GET DELETE POST PUT"),
            ("CreateRegistrationIdAsync", "POST"),
            ("DeleteInstallationAsync", "GET DELETE PUT GET DELETE GET"),
            ("DeleteRegistrationAsync", "GET DELETE POST DELETE GET"),
            ("GetAllRegistrationsAsync", "GET DELETE POST POST POST GET GET"),
            ("GetRegistrationsByChannelAsync", "GET DELETE DELETE POST POST POST GET"),
            ("GetRegistrationsByTagAsync", "GET DELETE DELETE POST POST POST GET"),
            ("PatchInstallationAsync_CreateInstallationWithUserId", "GET DELETE PUT PATCH GET"),
            ("PatchInstallationAsync_CreateInstallationWithoutTags", "GET DELETE PUT PATCH GET"),
            ("RegistrationExistsAsync", "GET DELETE POST PUT DELETE GET"),
            ("ScheduleNotificationAsync", "POST"), ("SendDirectNotificationAsync_SendDirectAppleBatch", "POST"),
            ("UpdateRegistrationAsync", "GET DELETE POST PUT"),
        ]
    )
    func `the methods of a session are derived from its answers`(test: String, methods: String) throws {
        let session = HubSession(name: "dotnet/\(test)", calls: try HubRecording.dotnet(test))
        #expect(try SessionScript(session).steps.map(\.request.method).joined(separator: " ") == methods)
    }

    @Test func `the session's name distinguishes an update from an upsert`() throws {
        let calls = [
            HubRecording(target: "/h/registrations?api-version=2020-06", status: 200, body: entry(etag: 1)),
            HubRecording(target: "/h/registrations/1-2-3?api-version=2020-06", status: 200, body: entry(etag: 2)),
            HubRecording(target: "/h/registrations/1-2-3?api-version=2020-06", status: 200, body: entry(etag: 2)),
        ]
        let update = try SessionScript(HubSession(name: "dotnet/UpdateRegistrationAsync_x", calls: calls))
        #expect(update.steps.map(\.request.method) == ["POST", "PUT", "GET"])
        #expect(update.steps[1].request.headers["If-Match"] == "\"1\"")
        let upsert = try SessionScript(HubSession(name: "dotnet/CreateOrUpdateRegistrationAsync_x", calls: calls))
        #expect(upsert.steps[1].request.headers["If-Match"] == nil)
    }

    @Test func `a derived registration lacks the elements that only the service sets`() throws {
        let call = HubRecording(target: "/h/registrations", status: 200, body: entry(etag: 1))
        let script = try SessionScript(HubSession(name: "dotnet/CreateRegistrationAsync_x", calls: [call]))
        let body = try #require(script.steps.first).request.body
        let sent = String(decoding: body, as: UTF8.self)
        #expect(sent.contains("<Endpoint>https://push.example.org/1</Endpoint>"))
        #expect(!sent.contains("ETag") && !sent.contains("RegistrationId") && !sent.contains("ExpirationTime"))
    }

    @Test(arguments: [
        ("AddTags", #""tags":["a"],"userId":"u""#, #"{"op":"add","path":"/userId","value":"u"}"#),
        ("RemoveTag", #""tags":["a"]"#, #"{"op":"remove","path":"/tags/removed"}"#),
        ("RemoveUserId", #""tags":["a"]"#, #"{"op":"remove","path":"/userId"}"#),
        (
            "AddTemplate", #""templates":{"t":{"body":"{}","tags":["t"]}}"#,
            #"{"op":"add","path":"/templates/t","value":"{\"body\":\"{}\"}"}"#
        ),
    ])
    func `a patch is derived from the next read`(name: String, members: String, operation: String) throws {
        let target = "/h/installations/i?api-version=2020-06"
        let shown =
            #"{"installationId":"i","pushChannelExpired":false,"platform":"apns","pushChannel":"00",\#(members)}"#
        let calls = [
            HubRecording(target: target, status: 200), HubRecording(target: target, status: 200),
            HubRecording(target: target, status: 200, body: shown),
        ]
        let script = try SessionScript(HubSession(name: "dotnet/PatchInstallationAsync_\(name)", calls: calls))
        #expect(script.steps.map(\.request.method) == ["PUT", "PATCH", "GET"])
        #expect(String(decoding: script.steps[1].request.body, as: UTF8.self).contains(operation))
        #expect(!String(decoding: script.steps[0].request.body, as: UTF8.self).contains("Expired"))
    }

    @Test(arguments: [
        ("SendNotificationAsync_SendGcmNativeNotification", "gcm"),
        ("SendDirectNotificationAsync_SendDirectFcmV1BatchNotification", "fcmv1"),
        ("SendNotificationAsync_SendAdmNativeNotification", "adm"),
        ("SendNotificationAsync_SendMpnsNativeNotification", "windowsphone"),
        ("SendNotificationAsync_SendBaiduNativeNotification", "baidu"),
        ("SendDirectNotificationAsync_SendDirectBrowserNotification", "browser"),
        ("SendNotificationAsync_SendTemplateNotification", "template"),
    ])
    func `the format of a send is derived from the session's name`(name: String, format: String) throws {
        let call = HubRecording(target: "/h/messages?api-version=2020-06", status: 201)
        let script = try SessionScript(HubSession(name: "dotnet/\(name)_x.http", calls: [call]))
        #expect(script.steps.first?.request.headers["ServiceBusNotification-Format"] == format)
    }

    @Test func `a call of unknown kind is an error`() {
        let call = HubRecording(target: "/h/elsewhere/x", status: 418)
        #expect(throws: SessionScript.Unclear.self) {
            try SessionScript(HubSession(name: "dotnet/x", calls: [call]))
        }
    }
}

private func entry(etag: Int) -> String {
    """
    <entry a:etag="W/&quot;\(etag)&quot;" xmlns="http://www.w3.org/2005/Atom" \
    xmlns:a="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><title type="text">1-2-3</title>\
    <content type="application/xml"><BrowserRegistrationDescription \
    xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"><ETag>\(etag)</ETag>\
    <ExpirationTime>9999-12-31T23:59:59.999</ExpirationTime><RegistrationId>1-2-3</RegistrationId>\
    <Endpoint>https://push.example.org/1</Endpoint><P256DH>p</P256DH><Auth>a</Auth>\
    </BrowserRegistrationDescription></content></entry>
    """
}
