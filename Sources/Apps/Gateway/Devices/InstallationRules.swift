import NewsflashBasics
import NewsflashStrictJSON
import NotificationHubs

/// The rules for a user's installation: what the user may write, and what the server adds.
struct InstallationRules: Sendable {
    let user: GatewayUser
    let rule: ClientTagRule

    /// Completes an installation sent by a client.
    ///
    /// - Parameter written: The decoded installation.
    /// - Returns: The installation with the user's ID and tag.
    /// - Throws: ``GatewayRefusal``: 403 for another user's ID or a reserved tag, 400 for too many tags.
    func completed(_ written: Installation) throws(GatewayRefusal) -> Installation {
        guard written.userID.map({ $0.isEqualIgnoringASCIICase(to: user.name) }) ?? true else {
            throw .forbidden(
                "reserved_user",
                "The user of an installation must be the signed-in user.",
                path: "/userId"
            )
        }
        try check(written.tags, at: "/tags")
        for template in written.templates { try check(template, at: "") }
        for tile in written.secondaryTiles {
            let path = "/secondaryTiles/" + JSONPointer.escaped(tile.name)
            try check(tile.tags, at: path + "/tags")
            for template in tile.templates { try check(template, at: path) }
        }
        guard written.tags.count < RegistrationDescription.maximumTags else {
            let most = RegistrationDescription.maximumTags - 1
            throw .malformed("too_many_tags", "An installation has at most \(most) tags.", path: "/tags")
        }
        var installation = written
        installation.userID = user.name
        installation.tags.append(user.tag)
        // A tile has its own tags.
        for index in installation.secondaryTiles.indices { installation.secondaryTiles[index].tags.append(user.tag) }
        return installation
    }

    /// Returns an installation without the server's additions.
    ///
    /// - Parameter kept: The installation as stored by the hub.
    /// - Returns: An installation that the user may send back.
    func visible(_ kept: Installation) -> Installation {
        var shown = kept
        shown.tags.removeAll(where: UserTag.isServers)
        for index in shown.secondaryTiles.indices {
            shown.secondaryTiles[index].tags.removeAll(where: UserTag.isServers)
        }
        return shown
    }

    /// Applies a client's patch to an installation.
    ///
    /// - Parameters:
    ///   - body: A list of operations.
    ///   - kept: The user's own installation as stored by the hub.
    /// - Returns: The installation to write.
    /// - Throws: ``GatewayRefusal``: 403 for a change to the user or to reserved tags, 400 if a change fails.
    func patched(_ body: [UInt8], _ kept: Installation) throws(GatewayRefusal) -> Installation {
        try checkPaths(body)
        var installation = visible(kept)
        installation.userID = nil
        do throws(HubValueError) {
            try InstallationPatch(reading: body).apply(to: &installation)
        } catch {
            throw GatewayRefusal(error)
        }
        return try completed(installation)
    }

    /// Checks the paths of a patch, because the result does not show every forbidden change.
    private func checkPaths(_ body: [UInt8]) throws(GatewayRefusal) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body, maximumDepth: 16)
        } catch {
            throw GatewayRefusal(error)
        }
        for (index, operation) in (value.array ?? []).enumerated() {
            let members = operation.object ?? []
            for member in members where member.name.isEqualIgnoringASCIICase(to: "path") {
                let steps = (member.value.string ?? "").split(separator: "/")
                    .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
                let path = "/\(index)/path"
                guard steps.first?.isEqualIgnoringASCIICase(to: "userId") != true else {
                    throw .forbidden(
                        "reserved_user",
                        "The user of an installation must be the signed-in user.",
                        path: path
                    )
                }
                for step in steps { try rule.check(step, at: path) }
            }
        }
    }

    private func check(_ template: InstallationTemplate, at path: String) throws(GatewayRefusal) {
        let path = "\(path)/templates/\(JSONPointer.escaped(template.name))"
        // The hub adds the name of a template to its tags.
        try rule.check(template.name, at: path)
        try check(template.tags, at: path + "/tags")
    }

    private func check(_ tags: [Tag], at path: String) throws(GatewayRefusal) {
        for tag in tags { try rule.check(tag.description, at: path) }
    }
}
