extension Installation {
    /// Returns the registrations that the hub creates for the installation: a native one and one for each template, then the
    /// same
    /// for each secondary tile. They appear in lists of registrations.
    ///
    /// Each has the tag `$InstallationId:{…}` first, then `$UserId:{…}`, then its own tags. A template's registration has the
    /// template's name as its last tag if the name is a valid tag.
    ///
    /// - Returns: At least the native registration.
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
    /// The tags without duplicates, in order of first occurrence.
    fileprivate var withoutRepeats: [Tag] {
        var seen: Set<Tag> = []
        return filter { seen.insert($0).inserted }
    }
}
