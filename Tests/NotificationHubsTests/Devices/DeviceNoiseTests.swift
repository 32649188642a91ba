import NotificationHubs
import Testing

@Suite("Registrations and installations made of noise", .timeLimit(.minutes(1)))
struct DeviceNoiseTests {
    private static let samples = [
        #"<entry><content><AppleTemplateRegistrationDescription xmlns:i="i"><Tags>a,b</Tags><DeviceToken>00FC</DeviceToken>"#
            + #"<PushVariables>{"a":"b"}</PushVariables><BodyTemplate><![CDATA[{}]]></BodyTemplate><Expiry i:nil="true"/>"#
            + "<ApnsHeaders><ApnsHeader><Header>h</Header><Value>v</Value></ApnsHeader></ApnsHeaders>"
            + "</AppleTemplateRegistrationDescription></content></entry>",
        #"{"platform":"wns","pushChannel":"https://a","userId":"u","tags":["a"],"pushVariables":{"v":"1"},"templates":"#
            + #"{"One":{"body":"1","headers":{"h":"w"},"tags":["b"]}},"secondaryTiles":{"s":{"pushChannel":"https://b"}}}"#,
        #"[{"op":"add","path":"/templates/t/tags","value":["a"]},{"op":"remove","path":"/tags/a"},"#
            + #"{"op":"replace","path":"/templates/t","value":{"body":"b"}},{"op":"remove","path":"/secondaryTiles/s/tags/~1"}]"#,
        "Endpoint eq 'https%3A' and P256DH eq 'a''b' and Auth eq 'c",
    ]

    /// Numbers that are the same in every run.
    private struct Noise {
        var state: UInt64 = 0x5EED

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    @Test(arguments: samples.indices)
    func `a damaged text is parsed or refused, and a parsed one can be written`(_ sample: Int) {
        var noise = Noise()
        var outcomes: Set<Bool> = []
        for _ in 0..<1500 {
            var bytes = Array(Self.samples[sample].utf8)
            for _ in 0...noise.next(below: 3) { spoil(&bytes, &noise) }
            outcomes.insert(survives(bytes))
        }
        #expect(outcomes == [true, false])
    }

    private func spoil(_ bytes: inout [UInt8], _ noise: inout Noise) {
        guard !bytes.isEmpty else { return }
        let place = noise.next(below: bytes.count)
        switch noise.next(below: 4) {
        case 0: bytes[place] = UInt8(noise.next(below: 256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place...].prefix(noise.next(below: 40)), at: place)
        default: bytes.removeSubrange(place..<min(place + noise.next(below: 40), bytes.count))
        }
    }

    /// Returns whether one of the parsers accepts the text.
    private func survives(_ bytes: [UInt8]) -> Bool {
        var isTaken = false
        if let description = try? RegistrationXML.read(bytes) {
            isTaken = true
            if let body = try? RegistrationXML.request(description) {
                #expect(throws: Never.self) { try RegistrationXML.read(body) }
            }
        }
        if var installation = try? InstallationJSON.read(bytes, id: "i") {
            isTaken = true
            let written = InstallationJSON.write(installation)
            #expect((try? InstallationJSON.readAnswer(written)) == installation)
            #expect(!installation.registrations().isEmpty)
            try? InstallationPatch(reading: Array(Self.samples[2].utf8)).apply(to: &installation)
        }
        if let patch = try? InstallationPatch(reading: bytes) {
            isTaken = true
            var installation = Installation(
                id: "i",
                channel: .wns(uri: "a:b"),
                templates: [InstallationTemplate(name: "t", body: "b")]
            )
            try? patch.apply(to: &installation)
        }
        if let filter = try? ChannelFilter(query: String(decoding: bytes, as: UTF8.self)) {
            isTaken = true
            #expect(!filter.matches(.apns(deviceToken: "")))
        }
        return isTaken
    }
}
