import NewsflashStrictJSON

/// A change to a part of an installation. An ``InstallationPatch`` consists of such changes.
public enum InstallationChange: Hashable, Sendable {
    /// Replaces the channel; the platform must be the same.
    case setChannel(PushChannel)
    /// Sets the signed-in user; `nil` removes it.
    case setUser(String?)
    /// Adds tags.
    case addTags([Tag])
    /// Removes a tag.
    case removeTag(Tag)
    /// Replaces all tags.
    case replaceTags([Tag])
    /// Adds a template, or replaces the template of the same name.
    case setTemplate(InstallationTemplate)
    /// Removes a template.
    case removeTemplate(name: String)
    /// Replaces the body of an existing template.
    case setTemplateBody(String, name: String)
}

extension InstallationPatch {
    /// Creates a patch.
    ///
    /// - Parameter changes: The changes, in the order of their application.
    public init(_ changes: [InstallationChange]) {
        self.init(steps: changes.enumerated().flatMap { $1.steps(at: "/\($0)") })
    }

    /// The patch as a request body: a JSON array of operations. Objects are sent as strings of JSON, as by the SDKs.
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
                case .object:
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
    fileprivate func steps(at place: String) -> [InstallationPatch.Step] {
        func step(_ operation: InstallationPatch.Operation, _ path: [String], _ value: JSONValue? = nil)
            -> InstallationPatch.Step
        {
            InstallationPatch.Step(operation: operation, path: path, value: value.map { PlacedJSON($0) }, place: place)
        }
        switch self {
        case .setChannel(let channel):
            return [step(.replace, ["pushChannel"], .string(channel.installationText))]
        case .setUser(let user):
            return [user.map { step(.replace, ["userId"], .string($0)) } ?? step(.remove, ["userId"])]
        // One step per tag: a string adds one tag in every version of the service.
        case .addTags(let tags): return tags.map { step(.add, ["tags"], .string($0.description)) }
        case .removeTag(let tag): return [step(.remove, ["tags", tag.description])]
        case .replaceTags(let tags):
            return [tags.isEmpty ? step(.remove, ["tags"]) : step(.replace, ["tags"], Self.json(tags))]
        case .setTemplate(let template): return [step(.replace, ["templates", template.name], Self.json(template))]
        case .removeTemplate(let name): return [step(.remove, ["templates", name])]
        case .setTemplateBody(let body, let name): return [step(.replace, ["templates", name, "body"], .string(body))]
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
