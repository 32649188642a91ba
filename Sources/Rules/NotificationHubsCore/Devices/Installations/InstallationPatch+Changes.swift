import NewsflashStrictJSON

extension InstallationPatch {
    /// Creates a patch from several patches.
    ///
    /// - Parameter patches: The changes, in the order of their application.
    public init(_ patches: [InstallationPatch]) {
        self.init(
            steps: patches.flatMap(\.steps).enumerated().map { index, step in
                var step = step
                step.place = "/\(index)"
                return step
            }
        )
    }

    /// Creates a patch from several patches.
    public init(arrayLiteral patches: InstallationPatch...) {
        self.init(patches)
    }

    private init(_ operation: Operation, _ path: [String], _ value: JSONValue? = nil) {
        self.init(steps: [Step(operation: operation, path: path, value: value.map { PlacedJSON($0) }, place: "/0")])
    }

    /// Replaces the channel; the platform must be the same.
    public static func setChannel(_ channel: PushChannel) -> InstallationPatch {
        InstallationPatch(.replace, ["pushChannel"], .string(channel.installationText))
    }

    /// Sets the signed-in user; `nil` removes it.
    public static func setUser(_ user: String?) -> InstallationPatch {
        user.map { InstallationPatch(.replace, ["userId"], .string($0)) } ?? InstallationPatch(.remove, ["userId"])
    }

    /// Adds tags.
    public static func addTags(_ tags: [Tag]) -> InstallationPatch {
        // One step per tag: a string adds one tag in every version of the service.
        InstallationPatch(tags.map { InstallationPatch(.add, ["tags"], .string($0.description)) })
    }

    /// Removes a tag.
    public static func removeTag(_ tag: Tag) -> InstallationPatch {
        InstallationPatch(.remove, ["tags", tag.description])
    }

    /// Replaces all tags.
    public static func replaceTags(_ tags: [Tag]) -> InstallationPatch {
        tags.isEmpty ? InstallationPatch(.remove, ["tags"]) : InstallationPatch(.replace, ["tags"], json(tags))
    }

    /// Adds a template, or replaces the template of the same name.
    public static func setTemplate(_ template: InstallationTemplate) -> InstallationPatch {
        InstallationPatch(.replace, ["templates", template.name], json(template))
    }

    /// Removes a template.
    public static func removeTemplate(name: String) -> InstallationPatch {
        InstallationPatch(.remove, ["templates", name])
    }

    /// Replaces the body of an existing template.
    public static func setTemplateBody(_ body: String, name: String) -> InstallationPatch {
        InstallationPatch(.replace, ["templates", name, "body"], .string(body))
    }

    /// Replaces the headers of an existing template; only for Windows.
    public static func setTemplateHeaders(_ headers: [NamedValue], name: String) -> InstallationPatch {
        InstallationPatch(.replace, ["templates", name, "headers"], json(headers))
    }

    /// Sets when the notifications of an existing template expire; only for Apple. `nil` removes it.
    public static func setTemplateExpiry(_ expiry: String?, name: String) -> InstallationPatch {
        let path = ["templates", name, "expiry"]
        return expiry.map { InstallationPatch(.replace, path, .string($0)) } ?? InstallationPatch(.remove, path)
    }

    /// Replaces the tags of an existing template.
    public static func replaceTemplateTags(_ tags: [Tag], name: String) -> InstallationPatch {
        let path = ["templates", name, "tags"]
        return tags.isEmpty ? InstallationPatch(.remove, path) : InstallationPatch(.replace, path, json(tags))
    }

    /// Creates any operation of JSON Patch, for what this library does not know.
    ///
    /// ```swift
    /// let patch = try InstallationPatch.raw("add", path: "/secondaryTiles/tile/tags", value: #""sports""#)
    /// ```
    ///
    /// - Parameters:
    ///   - operation: `add`, `remove` or `replace`.
    ///   - path: The JSON Pointer of the value.
    ///   - value: The value as JSON; `nil` for `remove`.
    /// - Returns: The patch.
    /// - Throws: ``HubValueError`` if the operation is another one, or the value is missing or not JSON.
    public static func raw(
        _ operation: String,
        path: String,
        value: String? = nil
    ) throws(HubValueError) -> InstallationPatch {
        let json: JSONValue?
        do throws(JSONError) {
            json = if let value { try JSONReader.read(Array(value.utf8)) } else { nil }
        } catch {
            throw HubValueError(.deviceSyntax, "The value of a change is not valid JSON: \(error.message).", at: path)
        }
        var writer = JSONWriter()
        writer.beginArray()
        writer.beginObject()
        writer.member("op", operation)
        writer.member("path", path)
        if let json {
            writer.name("value")
            writer.value(json)
        }
        writer.endObject()
        writer.endArray()
        return try InstallationPatch(reading: writer.bytes)
    }
}

extension InstallationPatch {
    /// The patch as a request body: a JSON array of operations. Objects are sent as strings of JSON, as by the SDKs.
    package var body: [UInt8] {
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

    private static func json(_ tags: [Tag]) -> JSONValue {
        .array(tags.map { .string($0.description) })
    }

    private static func json(_ headers: [NamedValue]) -> JSONValue {
        .object(headers.map { JSONMember(name: $0.name, value: .string($0.value)) })
    }

    private static func json(_ template: InstallationTemplate) -> JSONValue {
        var members = [JSONMember(name: "body", value: .string(template.body))]
        if !template.headers.isEmpty { members.append(JSONMember(name: "headers", value: json(template.headers))) }
        if let expiry = template.expiry { members.append(JSONMember(name: "expiry", value: .string(expiry))) }
        if !template.tags.isEmpty { members.append(JSONMember(name: "tags", value: json(template.tags))) }
        return .object(members)
    }
}
