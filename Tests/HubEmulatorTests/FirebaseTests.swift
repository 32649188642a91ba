import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite("handles of Firebase", .timeLimit(.minutes(1)))
struct FirebaseTests {
    static let id = "cJ9xT2wQR5a-1_bN8kLmZp"
    static let token = id + ":APA91bFake_Token-1234567890"

    private static let body = #"{"message":{"data":{"t":"$(title)"}}}"#

    private func install(_ name: String, _ handle: String, _ desk: Desk) {
        desk.install(name, platform: "fcmv1", body: Self.body, handle: handle)
    }

    private func warnings(_ list: String, _ desk: Desk) throws -> [[String]] {
        let name = String(list.prefix { $0 != "?" })
        let entries = try JSONReader.read(desk.inspect("GET", list).body)[member: name]?.array ?? []
        return entries.map { $0[member: "warnings"]?.array?.compactMap(\.string) ?? [] }
    }

    @Test(arguments: [(token, id), (id, token)])
    func `the form of a handle that was registered last gets notifications, and the other one is removed`(
        first: String,
        second: String
    ) throws {
        let desk = try Desk()
        install("old", first, desk)
        install("new", second, desk)
        #expect(try warnings("devices", desk).allSatisfy { $0.count == 1 })
        desk.send()
        desk.hub.settle()
        let outcomes = desk.hub.settledDeliveries.map { "\($0.installationID ?? ""): \($0.outcome.rawValue)" }
        #expect(outcomes == ["old: ExpiredChannel", "new: Success"])
        #expect(desk.hub.settledDeliveries.allSatisfy { $0.warnings.count == 1 })
        #expect(desk.device("GET", "installations/old").text.contains(#""pushChannelExpired":true"#))
        desk.send()
        desk.hub.settle()
        #expect(desk.hub.settledDeliveries.dropFirst(2).map(\.warnings) == [[]])
    }

    @Test func `a device that replaces its token with its installation id has no warning`() throws {
        let desk = try Desk()
        install("phone", Self.token, desk)
        install("phone", Self.id, desk)
        install("other", "another-token", desk)
        #expect(try warnings("devices", desk) == [[], []])
        desk.send()
        #expect(desk.readers == ["other", "phone"])
    }

    @Test func `a direct send to a replaced token gets the answer of a dead handle`() throws {
        let desk = try Desk()
        install("phone", Self.token, desk)
        install("phone", Self.id, desk)
        for handle in [Self.token, Self.id] {
            let headers: HTTPHeaders = [.init("ServiceBusNotification-DeviceHandle", handle)]
            let body = #"{"message":{"data":{}}}"#
            must(
                desk.post("/Breaking-News/messages?direct", headers: headers, body: body, format: "fcmv1"),
                answer: 201
            )
        }
        #expect(desk.hub.settledDeliveries.map(\.outcome.rawValue) == ["ExpiredChannel", "Success"])
    }

    @Test(arguments: ["short:token", "cJ9xT2wQR5a-1_bN8kLmZ!:token", "cJ9xT2wQR5a-1_bN8kLmZpp:token"])
    func `a token that does not begin with an installation id is replaced by none`(token: String) throws {
        let desk = try Desk()
        install("a", token, desk)
        install("b", String(token.prefix { $0 != ":" }), desk)
        desk.send()
        #expect(desk.readers == ["a", "b"])
    }
}
