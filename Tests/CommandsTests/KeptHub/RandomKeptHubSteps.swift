import NewsflashTestSupport
import NotificationHubs

/// Random requests, most of which have an effect.
struct RandomKeptHubSteps {
    private var generator: SeededGenerator
    private var lastHandle = 0

    /// Ids of installations, in the spellings of clients.
    static let installations = ["Phone-1", "phone-1", "TABLET", "tablet", "watch"]
    private static let hubs = ["Newsroom", "Regional", "REGIONAL", "sports.desk"]
    static let hubKeys = Set(hubs.map { $0.lowercased() }).sorted()
    private static let tags = ["world", "World", "sports", "dam-gives-way", "topic:7", "a@b#c"]
    /// The second and the third text look the same and have different bytes.
    private static let texts = ["plain", "caf\u{E9}", "cafe\u{301}", "<&>\\\" 🗞"]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns `true` with a given probability.
    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

    /// Returns a number from zero to one.
    mutating func share() -> Double { .random(in: 0..<1, using: &generator) }

    /// The next request.
    ///
    /// - Parameter model: The current state.
    /// - Returns: A request, which may be refused.
    mutating func next(for model: KeptNamespaceModel) -> KeptHubStep {
        let name = pick(Self.hubs)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<8: return .makeHub(name, days: chance(0.5) ? Int.random(in: 1...90, using: &generator) : nil)
        case 8..<11: return .changeHub(name, days: Int.random(in: 1...90, using: &generator))
        // One hub is left, so that there is something to lose.
        case 11..<14 where model.hubs.count > 1: return .removeHub(name)
        case 14..<16: return .removeDevices
        default: break
        }
        // The other two are also queried if they do not exist.
        let present = model.hubs.values.map(\.name).sorted()
        let hub = chance(0.95) ? pick(present) : name
        return .device(hub: hub, deviceStep(model.hubs[hub.lowercased()]?.devices ?? []))
    }

    private mutating func deviceStep(_ devices: [KeptNamespaceModel.Device]) -> KeptHubStep.OfDevice {
        let id = pick(Self.installations)
        let device = devices.isEmpty ? nil : devices[Int.random(in: devices.indices, using: &generator)]
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<5: return .install(installation(id))
        case 5..<9: return .patch(id: id, patch())
        case 9..<11: return .uninstall(id: id)
        case 11..<14: return .register(registration())
        case 14..<17:
            guard let device, let known = device.id, chance(0.8) else {
                return .write(id: "\(Int.random(in: 1...4, using: &generator))-2-3", registration(), condition: nil)
            }
            return .write(id: known, rewritten(device), condition: condition(device))
        default:
            guard let device, let known = device.id, chance(0.9) else {
                return .unregister(id: "9-9-9", condition: nil)
            }
            return .unregister(id: known, condition: condition(device))
        }
    }

    /// Returns a condition, which mostly matches.
    private mutating func condition(_ device: KeptNamespaceModel.Device) -> Int64? {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0..<3: nil
        case 3..<5: device.etag
        default: device.etag + 1
        }
    }

    /// Returns the same registration with other tags; a registration of an installation keeps the installation's tag or
    /// loses it.
    private mutating func rewritten(_ device: KeptNamespaceModel.Device) -> RegistrationDescription {
        guard device.owner != nil else { return registration() }
        var description = device.description
        let own = description.tags.filter { $0.description.hasPrefix("$InstallationId") }
        description.tags = (chance(0.5) ? own : []) + someTags().folded
        return description
    }

    private mutating func installation(_ id: String) -> Installation {
        var templates: [InstallationTemplate] = []
        let platform = pick([PushPlatform.apns, .fcmv1, .browser])
        for name in ["t-1", "t-2", "t-3"] where chance(0.4) { templates.append(template(name)) }
        return Installation(
            id: id,
            channel: channel(platform),
            userID: chance(0.3) ? "Reader=\(pick(["A", "b"]))" : nil,
            tags: someTags(),
            pushVariables: chance(0.3) ? [NamedValue("lang", pick(Self.texts))] : [],
            templates: templates
        )
    }

    private mutating func registration() -> RegistrationDescription {
        RegistrationDescription(
            channel: channel(pick([PushPlatform.apns, .fcmv1, .browser])),
            tags: someTags().folded,
            template: chance(0.5) ? TemplateDescription(name: chance(0.5) ? "t-1" : nil, body: body()) : nil
        )
    }

    private mutating func patch() -> KeptHubPatch {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .setTags(someTags())
        case 1: .addTag(Tag(known: pick(Self.tags)))
        case 2: .removeTag(Tag(known: pick(Self.tags)))
        case 3: .setUser("Reader=\(pick(["A", "b"]))")
        case 4: .setTemplate(template(pick(["t-1", "t-2", "t-3"])))
        default: .removeTemplate(pick(["t-1", "t-2", "t-3"]))
        }
    }

    private mutating func template(_ name: String) -> InstallationTemplate {
        InstallationTemplate(name: name, body: body())
    }

    /// Returns a body that is valid for every platform used here.
    private mutating func body() -> String {
        let text = pick(Self.texts).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return #"{"aps":{"alert":"$(title)"},"message":{"notification":{"title":"$(title)"}},"desk":"\#(text)"}"#
    }

    private mutating func someTags() -> [Tag] { Self.tags.filter { _ in chance(0.4) }.map { Tag(known: $0) } }

    /// Returns a channel that no other device has.
    private mutating func channel(_ platform: PushPlatform) -> PushChannel {
        lastHandle += 1
        let handle = String(0xAB_0000 + lastHandle, radix: 16, uppercase: true)
        return switch platform {
        case .apns: .apns(deviceToken: handle)
        case .browser: .browser(endpoint: "https://push.example/\(handle)", p256dh: "key-\(handle)", auth: "secret")
        default: .fcmv1(registrationID: "Token:\(handle)")
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }
}

extension Tag {
    /// Creates a tag from the lists above.
    fileprivate init(known text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(text) is not a tag")
        }
    }
}

extension [Tag] {
    /// The tags without later spellings that differ in case, as in a registration.
    var folded: [Tag] {
        var seen: Set<String> = []
        return filter { seen.insert($0.description.lowercased()).inserted }
    }
}
