import NewsflashTimestamps
import NotificationHubs

/// The expected state of a hub that stores its devices, as plain dictionaries.
struct KeptNamespaceModel {
    /// A registration, with the values that the hub itself decides once they are known.
    struct Device {
        /// The id; `nil` until it was seen, if the hub assigns it.
        var id: String?
        var etag: Int64 = 1
        /// The time when it ends, if known.
        var end: End = .never
        var description: RegistrationDescription
        /// The installation that it belongs to, in lower case.
        var owner: String?
    }

    struct Installed {
        var installation: Installation
        var end: End = .never
    }

    /// When a device ends.
    enum End {
        case never
        case between(Timestamp, Timestamp)

        /// Returns whether a time fits, and adopts it as the end.
        mutating func adopt(_ instant: Timestamp?) -> Bool {
            switch (self, instant) {
            case (.never, nil): return true
            case (.between(let first, let last), let instant?) where first <= instant && instant <= last:
                self = .between(instant, instant)
                return true
            default: return false
            }
        }
    }

    struct Hub {
        var name: String
        /// The time to live of new registrations, in days.
        var days: Int?
        /// The policies, keys and creation time as the hub reports them; `nil` until they were seen.
        var rules: String?
        var devices: [Device] = []
        /// The installations by id in lower case.
        var installations: [String: Installed] = [:]
    }

    /// The hubs by name in lower case.
    var hubs: [String: Hub]
    /// The hub of the command line.
    let main: String

    init(main: String) {
        self.main = main
        self.hubs = [main.lowercased(): Hub(name: main)]
    }

    /// Applies the effects of a restart.
    mutating func restart() {
        hubs[main.lowercased(), default: Hub(name: main)].name = main
    }

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - step: The request.
    ///   - now: The approximate time.
    /// - Returns: The status of the answer, and whether anything has changed.
    mutating func apply(_ step: KeptHubStep, now: Timestamp) -> (status: Int, changes: Bool) {
        switch step {
        case .makeHub(let name, let days):
            guard hubs[name.lowercased()] == nil else { return (409, false) }
            hubs[name.lowercased()] = Hub(name: name, days: days)
            return (201, true)
        case .changeHub(let name, let days):
            guard hubs[name.lowercased()] != nil else { return (404, false) }
            hubs[name.lowercased()]?.days = days
            return (200, true)
        case .removeHub(let name):
            return hubs.removeValue(forKey: name.lowercased()) == nil ? (404, false) : (200, true)
        case .removeDevices:
            // Without devices nothing is written, so a full disk is not noticed.
            let changes = hubs.values.contains { !$0.devices.isEmpty || !$0.installations.isEmpty }
            for key in hubs.keys {
                hubs[key]?.devices = []
                hubs[key]?.installations = [:]
            }
            return (204, changes)
        case .device(let name, let step):
            guard var hub = hubs[name.lowercased()] else { return (404, false) }
            let answer = hub.apply(step, now: now)
            hubs[name.lowercased()] = hub
            return answer
        }
    }
}

extension KeptNamespaceModel.Hub {
    fileprivate mutating func apply(_ step: KeptHubStep.OfDevice, now: Timestamp) -> (status: Int, changes: Bool) {
        switch step {
        case .install(let installation):
            install(installation, now: now)
            return (200, true)
        case .patch(let id, let patch):
            guard var installation = installations[id.lowercased()]?.installation else { return (404, false) }
            patch.apply(to: &installation)
            install(installation, now: now)
            return (200, true)
        case .uninstall(let id):
            devices.removeAll { $0.owner == id.lowercased() }
            return (204, installations.removeValue(forKey: id.lowercased()) != nil)
        case .register(let description):
            devices.append(.init(end: end(now), description: description))
            return (200, true)
        case .write(let id, let description, let condition):
            let index = devices.firstIndex { $0.id == id }
            if let condition {
                guard let index else { return (404, false) }
                guard condition == devices[index].etag else { return (412, false) }
            }
            write(description, id: id, at: index, now: now)
            return (200, true)
        case .unregister(let id, let condition):
            guard let index = devices.firstIndex(where: { $0.id == id }) else { return (404, false) }
            if let condition, condition != devices[index].etag { return (412, false) }
            devices.remove(at: index)
            return (200, true)
        }
    }

    private func end(_ now: Timestamp) -> KeptNamespaceModel.End {
        guard let days else { return .never }
        let end = now + .seconds(Int64(days) * 86_400)
        return .between(end + .seconds(-30), end + .seconds(30))
    }

    private mutating func write(_ description: RegistrationDescription, id: String, at index: Int?, now: Timestamp) {
        guard let index else {
            return devices.append(.init(id: id, end: end(now), description: description))
        }
        devices[index].etag += 1
        devices[index].end = end(now)
        devices[index].description = description
        // A registration that no longer names the installation has left it.
        if let owner = devices[index].owner, !description.names(installation: owner) { devices[index].owner = nil }
    }

    private mutating func install(_ installation: Installation, now: Timestamp) {
        let owner = installation.id.lowercased()
        installations[owner] = .init(installation: installation, end: end(now))
        var before = devices.filter { $0.owner == owner }
        devices.removeAll { $0.owner == owner }
        for description in installation.registrations() {
            let role = description.template?.name
            if let index = before.firstIndex(where: { $0.description.template?.name == role }) {
                let device = before.remove(at: index)
                devices.append(
                    .init(
                        id: device.id,
                        etag: device.etag + 1,
                        end: end(now),
                        description: description,
                        owner: owner
                    )
                )
            } else {
                devices.append(.init(end: end(now), description: description, owner: owner))
            }
        }
    }
}

extension RegistrationDescription {
    /// Returns whether its tags bind it to an installation.
    fileprivate func names(installation id: String) -> Bool {
        tags.contains { $0.description.lowercased() == "$installationid:{\(id)}" }
    }
}
