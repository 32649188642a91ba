import StrictJSON

/// A change to a part of an installation; an ``InstallationPatch`` is made of them.
public enum InstallationChange: Hashable, Sendable {
    /// Another way to reach the device, of the same platform.
    case setChannel(PushChannel)
    /// Who uses the app now; nobody where it is nothing.
    case setUser(String?)
    /// Tags beside those that are there.
    case addTags([Tag])
    /// Not this tag any more.
    case removeTag(Tag)
    /// These tags and no others.
    case replaceTags([Tag])
    /// A template in the place of the one of its name, or beside the others.
    case setTemplate(InstallationTemplate)
    /// Not this template any more.
    case removeTemplate(name: String)
    /// Another body for a template that is there.
    case setTemplateBody(String, name: String)
}

extension InstallationPatch {
    /// Makes a patch.
    ///
    /// - Parameter changes: Made in their order.
    public init(_ changes: [InstallationChange]) {
        self.init(steps: changes.enumerated().map { $1.step(at: "/\($0)") })
    }

    /// The patch as the body of a request: a JSON array of operations, with structures as the text of their JSON, which is
    /// how the SDKs send them.
    public var body: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        writer.beginArray()
        for step in steps {
            writer.beginObject()
            writer.member("op", step.operation.rawValue)
            writer.member("path", step.path.map { "/" + JSONPointer.escaped($0) }.joined())
            if let value = step.value?.value {
                writer.name("value")
                switch value {
                case .array, .object:
                    var text = JSONWriter()
                    text.value(value)
                    writer.value(String(decoding: text.bytes, as: UTF8.self))
                default: writer.value(value)
                }
            }
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }
}

extension InstallationChange {
    fileprivate func step(at place: String) -> InstallationPatch.Step {
        func set(_ path: [String], _ value: JSONValue) -> InstallationPatch.Step {
            InstallationPatch.Step(operation: .replace, path: path, value: PlacedJSON(value), place: place)
        }
        func remove(_ path: [String]) -> InstallationPatch.Step {
            InstallationPatch.Step(operation: .remove, path: path, value: nil, place: place)
        }
        switch self {
        case .setChannel(let channel): return set(["pushChannel"], .string(channel.installationText))
        case .setUser(let user): return user.map { set(["userId"], .string($0)) } ?? remove(["userId"])
        case .addTags(let tags):
            var step = set(["tags"], Self.json(tags))
            step.operation = .add
            return step
        case .removeTag(let tag): return remove(["tags", tag.description])
        case .replaceTags(let tags): return tags.isEmpty ? remove(["tags"]) : set(["tags"], Self.json(tags))
        case .setTemplate(let template): return set(["templates", template.name], Self.json(template))
        case .removeTemplate(let name): return remove(["templates", name])
        case .setTemplateBody(let body, let name): return set(["templates", name, "body"], .string(body))
        }
    }

    private static func json(_ tags: [Tag]) -> JSONValue {
        .array(tags.map { .string($0.description) })
    }

    private static func json(_ template: InstallationTemplate) -> JSONValue {
        var members = [JSONMember(name: "body", value: .string(template.body))]
        if !template.headers.isEmpty {
            let headers = template.headers.map { JSONMember(name: $0.name, value: .string($0.value)) }
            members.append(JSONMember(name: "headers", value: .object(headers)))
        }
        if let expiry = template.expiry { members.append(JSONMember(name: "expiry", value: .string(expiry))) }
        if !template.tags.isEmpty { members.append(JSONMember(name: "tags", value: json(template.tags))) }
        return .object(members)
    }
}
