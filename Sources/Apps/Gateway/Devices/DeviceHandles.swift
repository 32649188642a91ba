import ASCII
import NotificationHubs

/// Asks the hub for devices by their handles and by their users, and removes them.
struct DeviceHandles: Sendable {
    /// The most pages of a hundred registrations that are read: a device and a user have a handful.
    private static let mostPages = 10

    let hub: HubDoor
    private let turns = KeyedTurns()

    /// Makes one for a hub.
    ///
    /// - Parameter hub: The hub of the devices.
    init(hub: HubDoor) {
        self.hub = hub
    }

    /// Writes a record of a user's device, then removes all others with its handles; nobody else in this process writes
    /// the record or one of the handles meanwhile.
    ///
    /// - Parameters:
    ///   - record: The record to write.
    ///   - channels: Its handles.
    ///   - user: The user who writes it.
    ///   - write: Looks and writes; returns whose the record was before.
    /// - Throws: Errors of the write; ``GatewayRefusal``, 409, if another copy of this server wrote the same at the same
    ///   time for another user, who has it then.
    func write(
        _ record: DeviceRecord,
        _ channels: [PushChannel],
        for user: GatewayUser,
        _ write: () async throws(GatewayRefusal) -> DeviceOwner
    ) async throws(GatewayRefusal) {
        let keys = channels.map(\.key) + ["\(record)"]
        try await turns.work(on: Set(keys)) { () throws(GatewayRefusal) in
            let previous = try await write()
            for channel in Set(channels) {
                let found = try await registrations(.channel(channel))
                let cleanup = HandleCleanup(found, after: record, by: user, previous: previous)
                guard !cleanup.isLost else {
                    throw GatewayRefusal(409, "conflict", "Another user registered this at the same time, and has it.")
                }
                try await remove(cleanup.removed)
            }
        }
    }

    /// Removes what others have with a handle, before a user gets an id for it.
    ///
    /// - Parameters:
    ///   - handle: Of a device, without its platform.
    ///   - user: The user who asks.
    /// - Returns: The id of a registration of the user's own; `nil` if the user has no registration.
    /// - Throws: ``GatewayRefusal``.
    func clear(_ handle: String, for user: GatewayUser) async throws(GatewayRefusal) -> String? {
        let channel = PushChannel(anyPlatform: handle)
        return try await turns.work(on: [channel.key]) { () throws(GatewayRefusal) in
            let cleanup = HandleCleanup(try await registrations(.channel(channel)), beforeWriteOf: user)
            try await remove(cleanup.removed)
            return cleanup.kept
        }
    }

    /// Asks for the tags of a user's devices.
    ///
    /// - Parameter user: By the tag that only this server sets.
    /// - Returns: The tags of each device.
    /// - Throws: ``GatewayRefusal``.
    func tags(of user: GatewayUser) async throws(GatewayRefusal) -> [[Tag]] {
        try await registrations(.tag(user.tag)).map { $0.description.tags }
    }

    /// Removes all devices of a user.
    ///
    /// - Parameter user: The user of the devices.
    /// - Returns: The devices that the hub had; for some moments it may list a device that is removed already.
    /// - Throws: ``GatewayRefusal``; some may be removed then.
    func removeAll(of user: GatewayUser) async throws(GatewayRefusal) -> Set<DeviceRecord> {
        var removed: Set<DeviceRecord> = []
        while true {
            let found = try await registrations(.tag(user.tag))
            let records = Set(found.map { DeviceRecord(of: $0) })
            try await remove(records)
            let isNew = !records.isSubset(of: removed)
            removed.formUnion(records)
            // More may be left beyond the pages that were read.
            guard isNew, found.count >= Self.mostPages * 100 else { return removed }
        }
    }

    private func remove(_ records: some Collection<DeviceRecord>) async throws(GatewayRefusal) {
        for record in records {
            try await hub.ask { hub throws(HubError) in
                switch record {
                case .registration(let id): _ = try await hub.deleteRegistration(id)
                case .installation(let id): try await hub.deleteInstallation(id)
                }
            }
        }
    }

    private func registrations(_ filter: RegistrationFilter) async throws(GatewayRefusal) -> [Registration] {
        try await hub.ask { hub throws(HubError) in
            var found: [Registration] = []
            var continuation: String?
            for _ in 0..<Self.mostPages {
                let page = try await hub.registrations(filter, after: continuation)
                found += page.registrations
                guard let next = page.continuation, next != continuation else { break }
                continuation = next
            }
            return found
        }
    }
}

extension PushChannel {
    /// A channel by which the hub finds a handle of any platform: Apple's tokens are kept in upper case, all others are found
    /// as they are written.
    fileprivate init(anyPlatform handle: String) {
        let isApples =
            handle.utf8.count >= 64 && handle.utf8.count.isMultiple(of: 2)
            && handle.utf8.allSatisfy(\.isHexadecimalDigit)
        self = isApples ? .apns(deviceToken: handle) : .fcmv1(registrationID: handle)
    }

    /// A name of the device: its handle in lower case, because the case of Apple's tokens does not count.
    fileprivate var key: String { "handle " + handle.lowercased() }
}
