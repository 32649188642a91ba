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

    /// Checks a client's patch, and adds what the server sets.
    ///
    /// - Parameters:
    ///   - body: A list of operations.
    ///   - kept: The user's own installation as stored by the hub.
    /// - Returns: The changes for the hub, and the installation after them, without what other programs have set and this
    ///   server does not accept.
    /// - Throws: ``GatewayRefusal``: 403 for a change to the user or to reserved tags, 400 if a change fails.
    func patch(
        _ body: [UInt8],
        _ kept: Installation
    ) throws(GatewayRefusal) -> (changes: InstallationPatch, result: Installation) {
        let operations = try operations(of: body)
        var result = accepted(kept)
        do throws(HubValueError) {
            try InstallationPatch(reading: body).apply(to: &result)
        } catch {
            throw GatewayRefusal(error)
        }
        result = try completed(result)
        var writer = JSONWriter(reservingCapacity: body.count + 128)
        writer.value(.array(operations.map(\.json) + additions(to: operations, kept, result)))
        do throws(HubValueError) {
            return (try InstallationPatch(reading: writer.bytes), result)
        } catch {
            throw GatewayRefusal(error)
        }
    }

    /// An operation of a patch, with the unescaped steps of its path.
    private struct Operation {
        let json: JSONValue
        let steps: [String]

        /// Whether the first step is the name of this member.
        func concerns(_ member: String) -> Bool { steps.first?.isEqualIgnoringASCIICase(to: member) == true }

        /// Whether it removes or replaces all tags.
        var removesTags: Bool {
            let name = json.object?.first { $0.name.isEqualIgnoringASCIICase(to: "op") }?.value.string
            return concerns("tags") && steps.count == 1 && name?.isEqualIgnoringASCIICase(to: "add") != true
        }
    }

    /// Reads the operations and checks their paths, because the result does not show every forbidden change.
    private func operations(of body: [UInt8]) throws(GatewayRefusal) -> [Operation] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body, maximumDepth: 16)
        } catch {
            throw GatewayRefusal(error)
        }
        var operations: [Operation] = []
        for (index, json) in (value.array ?? []).enumerated() {
            var steps: [String] = []
            for member in json.object ?? [] where member.name.isEqualIgnoringASCIICase(to: "path") {
                steps = (member.value.string ?? "").split(separator: "/")
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
            operations.append(Operation(json: json, steps: steps))
        }
        return operations
    }

    /// The operations that restore the server's user and tags.
    private func additions(to operations: [Operation], _ kept: Installation, _ result: Installation) -> [JSONValue] {
        func operation(_ name: String, _ path: String, _ value: String) -> JSONValue {
            .object([
                JSONMember(name: "op", value: .string(name)), JSONMember(name: "path", value: .string(path)),
                JSONMember(name: "value", value: .string(value)),
            ])
        }
        let tag = user.tag.description
        var additions: [JSONValue] = []
        if kept.userID != user.name { additions.append(operation("replace", "/userId", user.name)) }
        if !kept.tags.contains(user.tag) || operations.contains(where: \.removesTags) {
            additions.append(operation("add", "/tags", tag))
        }
        let changed = Set(operations.filter { $0.concerns("secondaryTiles") }.compactMap { $0.steps.dropFirst().first })
        for tile in result.secondaryTiles where changed.contains(tile.name) {
            additions.append(operation("add", "/secondaryTiles/\(JSONPointer.escaped(tile.name))/tags", tag))
        }
        return additions
    }

    /// The part of an installation that a client could have written. Other programs may have set tags, templates and tiles that
    /// break the rules or are reserved; a patch leaves them as they are.
    private func accepted(_ kept: Installation) -> Installation {
        let shown = visible(kept)
        var accepted = shown
        accepted.userID = nil
        accepted.tags = []
        accepted.templates = []
        accepted.secondaryTiles = []
        func isAccepted(_ installation: Installation) -> Bool {
            var copy = installation
            return (try? completed(copy)) != nil && (try? InstallationPatch([]).apply(to: &copy)) != nil
        }
        func add(_ change: (inout Installation) -> Void) {
            var changed = accepted
            change(&changed)
            if isAccepted(changed) { accepted = changed }
        }
        for tag in shown.tags { add { $0.tags.append(tag) } }
        for var template in shown.templates {
            template.tags.removeAll { !$0.isValid }
            add { [template] in $0.templates.append(template) }
        }
        for var tile in shown.secondaryTiles {
            tile.tags.removeAll { !$0.isValid }
            add { [tile] in $0.secondaryTiles.append(tile) }
        }
        return accepted
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
