extension Installation {
    /// The registrations that the hub keeps for the installation: a native one and one for each template, then the same
    /// for each secondary tile. This is how lists of registrations show it.
    ///
    /// Each has the tag `$InstallationId:{…}` first, then `$UserId:{…}`, then its own. A template's has its name as the
    /// last, where the name can be a tag.
    ///
    /// - Returns: At least the native one.
    public func registrations() -> [RegistrationDescription] {
        let hubTags = [try? Tag.installation(id), userID.flatMap { try? Tag.user($0) }].compactMap(\.self)
        var registrations = registrations(channel: channel, tile: nil, tags: hubTags + tags, templates: templates)
        for tile in secondaryTiles {
            registrations += self.registrations(
                channel: tile.channel,
                tile: tile.name,
                tags: hubTags + tile.tags,
                templates: tile.templates
            )
        }
        return registrations
    }

    private func registrations(
        channel: PushChannel,
        tile: String?,
        tags: [Tag],
        templates: [InstallationTemplate]
    ) -> [RegistrationDescription] {
        let native = RegistrationDescription(
            channel: channel,
            tags: tags.withoutRepeats,
            pushVariables: pushVariables,
            secondaryTileName: tile
        )
        return [native]
            + templates.map { template in
                var registration = native
                let name = (try? Tag(template.name)).map { [$0] } ?? []
                registration.tags = (tags + template.tags + name).withoutRepeats
                registration.template = TemplateDescription(
                    name: template.name,
                    body: template.body,
                    headers: template.headers,
                    expiry: template.expiry
                )
                return registration
            }
    }
}

extension [Tag] {
    /// Each tag once, in the order of their first appearance.
    fileprivate var withoutRepeats: [Tag] {
        var seen: Set<Tag> = []
        return filter { seen.insert($0).inserted }
    }
}
