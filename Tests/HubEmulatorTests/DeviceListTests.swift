import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite("the list of devices", .timeLimit(.minutes(1)))
struct DeviceListTests {
    private func list(_ desk: Desk, _ query: String = "") throws -> [JSONValue] {
        let answer = desk.inspect("GET", "devices" + query)
        must(answer, answer: 200)
        return try #require(try JSONReader.read(answer.body)[member: "devices"]?.array)
    }

    /// The ids of the listed devices: of an installation its own, otherwise `registration`.
    private func ids(_ desk: Desk, _ query: String = "") throws -> [String] {
        try list(desk, query).map { $0[member: "installationId"]?.string ?? "registration" }
    }

    /// Three installations, one of them of a user, and a registration without an installation.
    private func desk(_ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in }) throws -> Desk {
        let desk = try Desk(adjust)
        desk.install("a", tags: ["World", "sports"], user: "ada", handle: "AB01")
        desk.install("b", tags: ["sports"], platform: "fcmv1", body: #"{"message":{"data":{"t":"$(title)"}}}"#)
        desk.install("c", handle: "AB03")
        let entry = """
            <AppleRegistrationDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
            <Tags>world,$UserId:{eve}</Tags><DeviceToken>AB04</DeviceToken></AppleRegistrationDescription>
            """
        must(desk.device("POST", "registrations", body: entry), answer: 200)
        return desk
    }

    @Test func `the list of devices has tags, templates and registrations of an installation`() throws {
        let desk = try desk()
        let device = try #require(try list(desk, "?user=ada").first)
        #expect(device[member: "installationId"]?.string == "a")
        #expect(device[member: "userId"]?.string == "ada")
        #expect(device[member: "platform"]?.string == "apns")
        #expect(device[member: "handle"]?.string == "AB01")
        #expect(device[member: "tags"]?.array?.compactMap(\.string) == ["World", "sports"])
        let registrations = try #require(device[member: "registrations"]?.array)
        #expect(registrations.count == 2)
        let template = try #require(registrations.compactMap { $0[member: "template"] }.first)
        #expect(template[member: "name"]?.string == "news")
        #expect(template[member: "body"]?.string == #"{"aps":{"alert":"$(title)"}}"#)
        #expect(registrations.allSatisfy { $0[member: "registrationId"]?.string?.isEmpty == false })
    }

    @Test(arguments: [
        ("", ["a", "b", "c", "registration"]), ("?tag=WORLD", ["a", "registration"]), ("?tag=sports", ["a", "b"]),
        ("?tag=sports&platform=FcmV1", ["b"]), ("?handle=ab01", ["a"]),
        ("?handle=ab04&handle=AB03", ["c", "registration"]),
        ("?handle=HTTPS://127.0.0.1/b", []), ("?handle=https://127.0.0.1/b", ["b"]), ("?user=ADA", ["a"]),
        ("?user=eve", ["registration"]), ("?platform=apns&platform=fcmv1", ["a", "b", "c", "registration"]),
        ("?platform=wns", []), ("?tag=$InstallationId:%7Bc%7D", ["c"]), ("?hub=breaking-NEWS&tag=sports", ["a", "b"]),
        ("?tag=nobody", []), ("?tag=news", ["a", "b", "c"]),
    ])
    func `the list of devices is filtered by tag, handle, user and platform`(query: String, expected: [String]) throws {
        #expect(try ids(desk(), query) == expected)
    }

    @Test func `the list of devices is paged`() throws {
        let desk = try desk()
        for limit in 1...5 {
            var found: [String] = []
            var after: Int64 = 0
            while true {
                let answer = desk.inspect("GET", "devices?limit=\(limit)&after=\(after)")
                let page = try JSONReader.read(answer.body)
                let devices = try #require(page[member: "devices"]?.array)
                guard !devices.isEmpty else { break }
                found += devices.map { $0[member: "installationId"]?.string ?? "registration" }
                let last = try #require(page[member: "last"]?.int64)
                #expect(last > after)
                after = last
            }
            #expect(found == ["a", "b", "c", "registration"])
        }
        for after in [Int64.max, .max - 1, .min, -1] {
            #expect(try ids(desk, "?after=\(after)").count == (after < 0 ? 4 : 0))
        }
    }

    @Test func `an installation whose channel the push service refused remains in the list`() throws {
        let desk = try desk()
        desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: "BadChannel", handle: "AB01")])
        desk.send()
        desk.hub.settle()
        let device = try #require(try list(desk, "?tag=world").first)
        #expect(device[member: "installationId"]?.string == "a")
        #expect(device[member: "pushChannelExpired"]?.bool == true)
        #expect(device[member: "registrations"]?.array?.isEmpty == true)
    }

    @Test(arguments: [
        ("sends?afte=3", "'afte' is unknown; /_emulator/sends has after, limit"),
        (
            "deliveries?notificationID=x&Handles=x",
            "'handles' is unknown; /_emulator/deliveries has after, limit, send,"
        ),
        ("requests?all", "'all' is unknown; /_emulator/requests has after, limit, refused"),
        ("devices?tags=a", "'tags' is unknown; /_emulator/devices has after, limit, hub, tag, handle, user, platform"),
        ("devices?platform=ios", "the parameter platform must be one of apns, "),
        ("devices?tag=a,b", "the parameter tag must be a valid tag"),
        ("devices?hub=other", "the parameter hub must be the name of a hub"),
        ("devices?after=x", "after and limit must be whole numbers"),
        ("deliveries?wait=0", "wait must be a number of deliveries from 1 to 1000"),
        ("deliveries?wait=1&timeout=61s", "timeout must be a duration of at most 60s, such as 500ms or 5s"),
        ("deliveries?wait=1&timeout=soon", "timeout must be a duration of at most 60s, such as 500ms or 5s"),
        ("deliveries?timeout=5s", "timeout requires wait"),
    ])
    func `an unknown parameter or value is refused`(path: String, problem: String) throws {
        let answer = try Desk().inspect("GET", path)
        #expect(answer.status == 400)
        #expect(answer.text.contains(problem), "\(answer.text)")
    }
}
