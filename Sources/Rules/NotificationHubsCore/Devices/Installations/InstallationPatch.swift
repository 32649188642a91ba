import NewsflashStrictJSON

/// Changes to parts of an installation, in the subset of JSON Patch (RFC 6902) that the hub supports
/// (https://learn.microsoft.com/rest/api/notificationhubs/update-installation).
///
/// `add` and `replace` set a text, a template, a tile or the map of headers. For tags, `add` adds and `replace` replaces all: a
/// string is one tag, an array are several. An object may be JSON or a string of JSON, as sent by the SDKs. Removing a missing
/// value is not an error.
///
/// ```swift
/// let patch: InstallationPatch = [.addTags([try Tag("sports")]), .setUser("anna")]
/// ```
public struct InstallationPatch: Sendable, ExpressibleByArrayLiteral {
    enum Operation: String {
        case add, replace, remove
    }

    struct Step {
        var operation: Operation
        /// The path of the changed value, without escapes.
        var path: [String]
        var value: PlacedJSON?
        /// The position of the step in the patch, for errors.
        var place: String
    }

    let steps: [Step]

    /// The handles in the patch, which no error may contain.
    package var handles: [String] {
        steps.filter { $0.path.last?.lowercased() == "pushchannel" }.compactMap { $0.value?.value.string }
    }

    init(steps: [Step]) {
        self.steps = steps
    }

    /// Decodes a request body.
    ///
    /// - Parameter body: A JSON array of operations.
    /// - Throws: ``HubValueError`` if it is not a list of operations; values are checked when they are applied.
    package init(reading body: [UInt8]) throws(HubValueError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw HubValueError(.deviceSyntax, "The request body is not valid JSON: \(error.message).", at: error.path)
        }
        guard let operations = value.array else {
            throw HubValueError(.deviceWrongType, "The changes to an installation must be a JSON array.")
        }
        var steps: [Step] = []
        for (index, operation) in operations.enumerated() {
            steps.append(try Self.step(PlacedJSON(operation, at: "/\(index)")))
        }
        self.steps = steps
    }

    /// Applies all changes to an installation, or none.
    ///
    /// - Parameter installation: The installation; unchanged after an error.
    /// - Throws: ``HubValueError`` for the first change that fails, or if the result violates a rule.
    package func apply(to installation: inout Installation) throws(HubValueError) {
        var patched = PatchedInstallation(installation)
        for step in steps { try step.apply(to: &patched) }
        let changed = patched.whole
        try changed.check()
        installation = changed
    }

    private static func step(_ json: PlacedJSON) throws(HubValueError) -> Step {
        _ = try json.members("A change")
        guard let name = try json["op"]?.string("The member op") else {
            throw HubValueError(.deviceMissing, "A change has no op.", at: json.path + "/op")
        }
        guard let operation = Operation(rawValue: name.lowercased()) else {
            throw HubValueError(
                .deviceInvalidPatch,
                "The op of a change must be add, remove or replace.",
                at: json.path + "/op"
            )
        }
        guard let path = try json["path"]?.string("The member path") else {
            throw HubValueError(.deviceMissing, "A change has no path.", at: json.path + "/path")
        }
        let value = json["value"]
        guard value != nil || operation == .remove else {
            throw HubValueError(.deviceMissing, "A change has no value.", at: json.path + "/value")
        }
        return Step(operation: operation, path: JSONPointer.steps(of: path), value: value, place: json.path)
    }
}

extension JSONPointer {
    /// Returns the unescaped steps of a pointer. The leading slash is optional.
    fileprivate static func steps(of pointer: String) -> [String] {
        let steps = pointer.split(separator: "/", omittingEmptySubsequences: false)
        return (steps.first?.isEmpty == true ? steps.dropFirst() : steps[...]).map {
            String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
        }
    }
}

extension InstallationPatch.Step {
    /// Applies one change.
    func apply(to patched: inout PatchedInstallation) throws(HubValueError) {
        let platform = patched.installation.channel.platform
        switch (path.first?.lowercased(), path.count) {
        case ("pushchannel", 1):
            patched.installation.channel = try InstallationReader.channel(required("pushChannel"), platform: platform)
            // A new channel is assumed to be valid.
            patched.installation.isChannelExpired = false
        case ("userid", 1):
            let text = try value(or: "The user id") ?? ""
            patched.installation.userID = text.isEmpty ? nil : text
        case ("tags", 1...2): try change(&patched.installation.tags, steps: path.dropFirst())
        case ("templates", 2...): try change(&patched.templates, steps: path.dropFirst())
        case ("secondarytiles", 2...): try change(&patched.tiles, platform: platform)
        default: throw unknownPath
        }
    }

    private func change(_ tiles: inout NamedList<PatchedInstallation.Tile>, platform: PushPlatform)
        throws(HubValueError)
    {
        let name = path[1]
        if path.count == 2 {
            guard operation != .remove else { return tiles.remove(name) }
            let tile = try InstallationReader.tile(required("tile").unwrapped, name: name, platform: platform)
            return tiles.set(PatchedInstallation.Tile(tile), name: name)
        }
        let isThere = try tiles.change(name) { tile throws(HubValueError) in
            switch (path[2].lowercased(), path.count) {
            case ("pushchannel", 3):
                tile.tile.channel = try InstallationReader.channel(required("pushChannel"), platform: platform)
            case ("tags", 3...4): try change(&tile.tile.tags, steps: path.dropFirst(3))
            case ("templates", 4...): try change(&tile.templates, steps: path.dropFirst(3))
            default: throw unknownPath
            }
        }
        if !isThere { throw noTarget("secondary tile") }
    }

    /// Changes a template or a part of it. The first step is the template's name.
    private func change(
        _ templates: inout NamedList<InstallationTemplate>,
        steps: ArraySlice<String>
    ) throws(HubValueError) {
        guard let name = steps.first else { throw unknownPath }
        let rest = steps.dropFirst()
        guard let part = rest.first else {
            guard operation != .remove else { return templates.remove(name) }
            return templates.set(
                try InstallationReader.template(required("template").unwrapped, name: name),
                name: name
            )
        }
        let isThere = try templates.change(name) { template throws(HubValueError) in
            try change(&template, part: part.lowercased(), steps: rest)
            template.tags.removeAll { $0.description == name }
        }
        if !isThere { throw noTarget("template") }
    }

    private func change(
        _ template: inout InstallationTemplate,
        part: String,
        steps: ArraySlice<String>
    ) throws(HubValueError) {
        switch (part, steps.count) {
        case ("body", 1): template.body = try required("body").string("The body of a template")
        case ("headers", 1):
            template.headers =
                try operation == .remove ? [] : InstallationReader.headers(required("headers").unwrapped)
        case ("expiry", 1): template.expiry = try value(or: "The expiry of a template")
        case ("tags", 1...2): try change(&template.tags, steps: steps.dropFirst())
        default: throw unknownPath
        }
    }

    /// Changes all tags, or removes the named tag.
    private func change(_ tags: inout [Tag], steps: ArraySlice<String>) throws(HubValueError) {
        if let name = steps.first {
            guard operation == .remove else { throw unknownPath }
            tags.removeAll { $0.description == name }
            return
        }
        if operation != .add { tags.removeAll() }
        guard operation != .remove else { return }
        var known = Set(tags)
        for tag in try newTags() where known.insert(tag).inserted {
            tags.append(tag)
            // All rules are checked after the last step. This check stops a step that already exceeds the limit, including the
            // two
            // tags of the hub.
            if tags.count > RegistrationDescription.maximumTags + 2 { try TagList.check(tags, at: place + "/value") }
        }
    }

    /// Decodes one tag from a string, or several from an array.
    private func newTags() throws(HubValueError) -> [Tag] {
        let value = try required("tags")
        guard value.value.array == nil else { return try InstallationReader.tags(value) }
        return [try TagList.tag(value.string("The value of tags"), at: value.path)]
    }

    /// The text to set; `nil` for a removal.
    private func value(or what: String) throws(HubValueError) -> String? {
        operation == .remove ? nil : try value?.string(what)
    }

    /// The value of a member that cannot be removed.
    private func required(_ name: String) throws(HubValueError) -> PlacedJSON {
        guard operation != .remove, let value else {
            throw HubValueError(.deviceInvalidPatch, "The \(name) can be replaced but not removed.", at: place + "/op")
        }
        return value
    }

    private func noTarget(_ what: String) -> HubValueError {
        HubValueError(.deviceInvalidPatch, "The installation has no such \(what).", at: place + "/path")
    }

    private var unknownPath: HubValueError {
        HubValueError(.deviceInvalidPatch, "The path of a change is not supported with its op.", at: place + "/path")
    }
}

/// An installation during a patch: templates and tiles are found by name in constant time.
struct PatchedInstallation {
    /// A tile during a patch.
    struct Tile {
        /// The tile without its templates.
        var tile: SecondaryTile
        var templates: NamedList<InstallationTemplate>

        init(_ tile: SecondaryTile) {
            self.tile = tile
            self.tile.templates = []
            templates = NamedList(tile.templates, name: \.name)
        }

        var whole: SecondaryTile {
            var whole = tile
            whole.templates = templates.elements
            return whole
        }
    }

    /// The installation without its templates and tiles.
    var installation: Installation
    var templates: NamedList<InstallationTemplate>
    var tiles: NamedList<Tile>

    init(_ installation: Installation) {
        self.installation = installation
        self.installation.templates = []
        self.installation.secondaryTiles = []
        templates = NamedList(installation.templates, name: \.name)
        tiles = NamedList(installation.secondaryTiles.map { Tile($0) }, name: \.tile.name)
    }

    /// The complete installation, with its parts in order.
    var whole: Installation {
        var whole = installation
        whole.templates = templates.elements
        whole.secondaryTiles = tiles.elements.map(\.whole)
        return whole
    }
}

/// Named elements in insertion order: found, changed and removed in constant time.
struct NamedList<Element> {
    private var places: [Element?]
    private var positions: [String: Int] = [:]

    init(_ elements: [Element], name: (Element) -> String) {
        places = []
        for element in elements { set(element, name: name(element)) }
    }

    var elements: [Element] { places.compactMap(\.self) }

    /// Replaces the element of this name, or appends a new one.
    mutating func set(_ element: Element, name: String) {
        if let position = positions[name] {
            places[position] = element
        } else {
            positions[name] = places.count
            places.append(element)
        }
    }

    mutating func remove(_ name: String) {
        if let position = positions.removeValue(forKey: name) { places[position] = nil }
    }

    /// Changes the element of a name.
    ///
    /// - Parameters:
    ///   - name: The element's name.
    ///   - change: Changes the element; must not change its name.
    /// - Returns: Whether the element exists.
    /// - Throws: The error of `change`; the element is removed then.
    mutating func change<Failure: Error>(
        _ name: String,
        _ change: (inout Element) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let position = positions[name], var element = places[position] else { return false }
        // Removed during the change, so that it is not copied.
        places[position] = nil
        try change(&element)
        places[position] = element
        return true
    }
}
