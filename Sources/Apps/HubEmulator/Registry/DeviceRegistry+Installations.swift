import NotificationHubs
import Randomness

/// Installations and the registrations that they consist of.
extension DeviceRegistry {
    /// Returns the installation that a registration keeps when it is written by its own id: the one named in its tags.
    ///
    /// - Parameters:
    ///   - name: The registration's id.
    ///   - tags: The new tags of the registration.
    /// - Returns: `nil` if the registration is, or becomes, independent of an installation.
    func installation(keeping name: RegistrationName, tags: [Tag]) -> InstallationTable.Number? {
        guard let number = slot(of: name).flatMap({ self[$0]?.installation }),
            tags.contains(where: { $0.installationID.map { installations.number(of: $0) == number } ?? false })
        else { return nil }
        return number
    }

    /// Creates or replaces an installation. Its existing registrations keep their ids.
    ///
    /// - Parameters:
    ///   - prepared: The installation.
    ///   - generator: Generates new ids.
    /// - Returns: The slots of its registrations, and the registrations that were removed.
    mutating func put(
        _ prepared: PreparedInstallation,
        using generator: inout SeededRandom
    ) -> (slots: [UInt32], removed: [RegistrationName]) {
        var names: [RegistrationRole: RegistrationName] = [:]
        var removed: [RegistrationName] = []
        for slot in installation(prepared.installation.id)?.slots ?? [] {
            guard let record = self[slot] else { continue }
            // Two registrations may have the same role after one was written by its own id.
            if let other = names.updateValue(record.name, forKey: role(of: record)) { removed.append(other) }
        }
        let number = installations.set(prepared.installation)
        var slots: [UInt32] = []
        for registration in prepared.registrations {
            let name =
                names.removeValue(forKey: RegistrationRole(registration.description))
                ?? unusedName(using: &generator)
            slots.append(
                put(registration, name: name, expiration: prepared.installation.expiration, installation: number)
            )
        }
        removed += names.values
        for name in removed {
            if let slot = slot(of: name) { remove(slot: slot) }
        }
        installations.setSlots(slots, of: number)
        shareTemplates(of: slots, with: number)
        return (slots, removed)
    }

    /// Removes an installation with its registrations.
    ///
    /// - Returns: Whether the installation existed.
    @discardableResult
    mutating func removeInstallation(_ id: String) -> Bool {
        guard let number = installations.number(of: id), let entry = installations[number] else { return false }
        // With the list emptied first, removing a slot does not search it.
        installations.setSlots([], of: number)
        for slot in entry.slots { remove(slot: slot) }
        installations.remove(number)
        return true
    }

    /// Restores an installation from storage. Its registrations follow one by one with ``adopt(_:into:)``.
    mutating func restore(_ installation: Installation) -> InstallationTable.Number {
        installations.set(installation)
    }

    /// Adds a restored registration to an installation. Both come from storage, where they share the texts of templates.
    mutating func adopt(_ slot: UInt32, into number: InstallationTable.Number) {
        installations.append(slot, to: number)
    }

    /// Makes an installation share the template texts of its registrations.
    private mutating func shareTemplates(of slots: [UInt32], with number: InstallationTable.Number) {
        var bodies: [String: String] = [:]
        for slot in slots {
            guard let template = self[slot]?.template.flatMap({ templates.description($0) }), let name = template.name
            else { continue }
            bodies[name] = template.body
        }
        if !bodies.isEmpty { installations.share(bodies, in: number) }
    }

    private func role(of record: DeviceRecord) -> RegistrationRole {
        RegistrationRole(
            template: record.template.flatMap { templates.description($0)?.name },
            tile: record.rare?.secondaryTileName
        )
    }
}

/// The role of a registration within its installation.
private struct RegistrationRole: Hashable {
    /// `nil` for the native registration.
    var template: String?
    var tile: String?

    init(template: String?, tile: String?) {
        self.template = template
        self.tile = tile
    }

    init(_ description: RegistrationDescription) {
        self.init(template: description.template?.name, tile: description.secondaryTileName)
    }
}
