import StrictJSON

extension InstallationPatch.Step {
    /// Applies one change.
    func apply(to patched: inout PatchedInstallation) throws(DeviceError) {
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

    private func change(_ tiles: inout NamedList<PatchedInstallation.Tile>, platform: PushPlatform) throws(DeviceError)
    {
        let name = path[1]
        if path.count == 2 {
            guard operation != .remove else { return tiles.remove(name) }
            let tile = try InstallationReader.tile(required("tile").unwrapped, name: name, platform: platform)
            return tiles.set(PatchedInstallation.Tile(tile), name: name)
        }
        let isThere = try tiles.change(name) { tile throws(DeviceError) in
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
    ) throws(DeviceError) {
        guard let name = steps.first else { throw unknownPath }
        let rest = steps.dropFirst()
        guard let part = rest.first else {
            guard operation != .remove else { return templates.remove(name) }
            return templates.set(
                try InstallationReader.template(required("template").unwrapped, name: name),
                name: name
            )
        }
        let isThere = try templates.change(name) { template throws(DeviceError) in
            try change(&template, part: part.lowercased(), steps: rest)
            template.tags.removeAll { $0.description == name }
        }
        if !isThere { throw noTarget("template") }
    }

    private func change(
        _ template: inout InstallationTemplate,
        part: String,
        steps: ArraySlice<String>
    ) throws(DeviceError) {
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
    private func change(_ tags: inout [Tag], steps: ArraySlice<String>) throws(DeviceError) {
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

    /// Decodes one tag from a string, or several from an array or a string that contains an array.
    private func newTags() throws(DeviceError) -> [Tag] {
        let value = try required("tags").unwrapped
        guard value.value.array == nil else { return try InstallationReader.tags(value) }
        return [try TagList.tag(value.string("The value of tags"), at: value.path)]
    }

    /// The text to set; `nil` for a removal.
    private func value(or what: String) throws(DeviceError) -> String? {
        operation == .remove ? nil : try value?.string(what)
    }

    /// The value of a member that cannot be removed.
    private func required(_ name: String) throws(DeviceError) -> PlacedJSON {
        guard operation != .remove, let value else {
            throw DeviceError(.invalidPatch, "The \(name) can be replaced but not removed.", at: place + "/op")
        }
        return value
    }

    private func noTarget(_ what: String) -> DeviceError {
        DeviceError(.invalidPatch, "The installation has no such \(what).", at: place + "/path")
    }

    private var unknownPath: DeviceError {
        DeviceError(.invalidPatch, "The path of a change is not supported with its op.", at: place + "/path")
    }
}
