import StrictJSON

extension Installation {
    /// Checks an installation against the hub's rules. Channels are checked when they are decoded; template expressions are
    /// checked elsewhere.
    ///
    /// - Throws: ``DeviceError`` for the first violation.
    func check() throws(DeviceError) {
        guard (try? Tag.installation(id)) != nil else {
            throw DeviceError(
                .invalidID,
                "The installation id is invalid. Valid characters are alphanumeric and - _ @ # . : =",
                at: "/installationId"
            )
        }
        if let userID, (try? Tag.user(userID)) == nil {
            throw DeviceError(
                .invalidID,
                "The user id is invalid. Valid characters are alphanumeric and - _ @ # . : =",
                at: "/userId"
            )
        }
        try check(templates, tags: tags, at: "")
        guard secondaryTiles.isEmpty || channel.platform == .wns else {
            throw DeviceError(
                .invalidTemplate,
                "Secondary tiles are only acceptable for WNS.",
                at: "/secondaryTiles"
            )
        }
        for tile in secondaryTiles {
            try check(tile.templates, tags: tile.tags, at: "/secondaryTiles/\(JSONPointer.escaped(tile.name))")
        }
    }

    private func check(_ templates: [InstallationTemplate], tags: [Tag], at path: String) throws(DeviceError) {
        let hubTags = [try? Tag.installation(id), userID.flatMap { try? Tag.user($0) }].compactMap(\.self)
        let ownTags = tags.filter { !hubTags.contains($0) }
        try TagList.check(hubTags + ownTags, at: path + "/tags")
        for template in templates {
            let path = "\(path)/templates/\(JSONPointer.escaped(template.name))"
            try template.check(platform: channel.platform, at: path)
            let tags = ownTags + template.tags.filter { !ownTags.contains($0) && !hubTags.contains($0) }
            try TagList.check(hubTags + tags, at: path + "/tags")
        }
    }
}

extension InstallationTemplate {
    fileprivate func check(platform: PushPlatform, at path: String) throws(DeviceError) {
        guard !name.isEmpty else {
            throw DeviceError(.invalidTemplate, "A template has no name.", at: path)
        }
        try TemplateDescription(name: name, body: "").checkName(at: path)
        guard headers.isEmpty || platform == .wns || platform == .mpns else {
            // The missing quote is also missing in the service's text.
            throw DeviceError(
                .invalidTemplate,
                "Template '\(name) is invalid: 'Headers' only acceptable for WNS and MPNS",
                at: path + "/headers"
            )
        }
    }
}
