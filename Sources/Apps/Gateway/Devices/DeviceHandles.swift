import NewsflashBasics
import NotificationHubs

/// Finds the hub's devices by handle or by user, and removes them.
struct DeviceHandles: Sendable {
    /// The maximum number of pages read, with a hundred registrations each; a device or a user normally has only a few.
    private static let mostPages = 10

    let hub: GatewayHub
    private let turns = KeyedLocks()

    /// Creates the access to a hub's devices.
    init(hub: GatewayHub) {
        self.hub = hub
    }

    /// Writes a record of a user's device, then removes all other records of the device. Meanwhile no other task of this process
    /// writes the record or one of the handles.
    ///
    /// - Parameters:
    ///   - record: The record to write.
    ///   - channels: The record's handles.
    ///   - user: The user who writes it.
    ///   - write: Reads and writes the record; returns its previous owner.
    /// - Throws: Errors of the write; ``GatewayRefusal``, 409, if another gateway process wrote the record at the same time for
    ///   another user, who owns it now.
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
                let found = try await registrations(of: channel, user)
                let cleanup = HandleCleanup(found, after: record, by: user, previous: previous)
                guard !cleanup.isLost else {
                    throw GatewayRefusal(409, "conflict", "Another user registered this device at the same time.")
                }
                try await remove(cleanup.removed)
            }
        }
    }

    /// Removes other users' records of a device, before a user gets an ID for it.
    ///
    /// - Parameters:
    ///   - handle: The device's handle, without its platform.
    ///   - user: The user who requests the ID.
    /// - Returns: The ID of an existing registration of the user, or `nil` if none exists.
    /// - Throws: ``GatewayRefusal``.
    func clear(_ handle: String, for user: GatewayUser) async throws(GatewayRefusal) -> String? {
        let channel = PushChannel(anyPlatform: handle)
        return try await turns.work(on: [channel.key]) { () throws(GatewayRefusal) in
            let cleanup = HandleCleanup(try await registrations(of: channel, user), beforeWriteOf: user)
            try await remove(cleanup.removed)
            return cleanup.kept
        }
    }

    /// Returns the tags of a user's devices.
    ///
    /// - Parameter user: The user; found by the tag that only this server sets.
    /// - Returns: The tags of each device.
    /// - Throws: ``GatewayRefusal``.
    func tags(of user: GatewayUser) async throws(GatewayRefusal) -> [[Tag]] {
        try await registrations(.tag(user.tag)).map { $0.description.tags }
    }

    /// Removes all devices of a user, also registrations of other programs that cannot be read.
    ///
    /// - Returns: The devices that the hub listed; it may list a removed device for some moments.
    /// - Throws: ``GatewayRefusal``; some devices may have been removed.
    func removeAll(of user: GatewayUser) async throws(GatewayRefusal) -> Set<DeviceRecord> {
        var removed: Set<DeviceRecord> = []
        while true {
            let found = try await list(.tag(user.tag))
            let unreadable = found.unreadable.compactMap(\.registrationID)
            let records = Set(found.registrations.map { DeviceRecord(of: $0) } + unreadable.map { .registration($0) })
            try await remove(records)
            guard unreadable.count == found.unreadable.count else {
                throw GatewayRefusal(
                    502,
                    "device_unreadable",
                    "The hub lists a device of the user without an ID; the others were removed. Remove it with the program "
                        + "that registered it."
                )
            }
            let isNew = !records.isSubset(of: removed)
            removed.formUnion(records)
            // More devices may exist beyond the pages read.
            guard isNew, found.registrations.count >= Self.mostPages * 100 else { return removed }
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

    /// The registrations of a device: those with its handle, and for Firebase those with the installation ID of a registration
    /// token, and the user's with a token of that installation. The hub cannot search for another user's token by its
    /// installation ID; Firebase does not deliver to that token any more.
    private func registrations(
        of channel: PushChannel,
        _ user: GatewayUser
    ) async throws(GatewayRefusal) -> [Registration] {
        var found = try await registrations(.channel(channel))
        guard let device = channel.firebaseInstallationID else { return found }
        if channel.handle != device { found += try await registrations(.channel(.fcmv1(registrationID: device))) }
        found += try await registrations(.tag(user.tag)).filter {
            let other = $0.description.channel
            return other.firebaseInstallationID == device && other != channel
        }
        return found
    }

    private func registrations(_ filter: RegistrationFilter) async throws(GatewayRefusal) -> [Registration] {
        try await list(filter).registrations
    }

    private func list(_ filter: RegistrationFilter) async throws(GatewayRefusal) -> Listed {
        try await hub.ask { hub throws(HubError) in
            var found = Listed()
            var continuation: String?
            for _ in 0..<Self.mostPages {
                let page = try await hub.registrations(filter, after: continuation)
                found.registrations += page.registrations
                found.unreadable += page.unreadable
                guard let next = page.continuation, next != continuation else { break }
                continuation = next
            }
            return found
        }
    }

    private struct Listed {
        var registrations: [Registration] = []
        var unreadable: [HubValueError] = []
    }
}

extension PushChannel {
    /// Creates a channel by which the hub finds a handle of any platform: Apple's tokens are stored in upper case, all others as
    /// they were written.
    fileprivate init(anyPlatform handle: String) {
        let isApples =
            handle.utf8.count >= 64 && handle.utf8.count.isMultiple(of: 2)
            && handle.utf8.allSatisfy(\.isHexadecimalDigit)
        self = isApples ? .apns(deviceToken: handle) : .fcmv1(registrationID: handle)
    }

    /// A key of the device: its handle in lower case, because Apple's tokens ignore case; for Firebase the installation ID.
    fileprivate var key: String { "handle " + (firebaseInstallationID ?? handle).lowercased() }
}

/// Locks by key: one task at a time works on a key; others wait in order.
///
/// Covers only this process; changes by other gateway processes are detected after the write.
final class KeyedLocks: Sendable {
    /// The maximum number of tasks that wait for a key; no app causes more.
    private static let mostWaiting = 16

    private typealias Turn = CheckedContinuation<Bool, Never>

    /// The waiting tasks of each locked key.
    private let waiting = Locked<[String: [Turn]]>([:])

    /// Runs work with keys locked.
    ///
    /// - Parameters:
    ///   - keys: The keys, locked in sorted order to prevent deadlocks.
    ///   - work: Runs when all keys are locked.
    /// - Returns: The result of the work.
    /// - Throws: Errors of the work; ``GatewayRefusal``, 503, if too many tasks wait.
    func work<Result>(
        on keys: Set<String>,
        _ work: () async throws(GatewayRefusal) -> Result
    ) async throws(GatewayRefusal) -> Result {
        var locked: [String] = []
        defer { for key in locked { unlock(key) } }
        for key in keys.sorted() {
            guard await lock(key) else {
                throw .unavailable("device_busy", "Too many requests for this device: try again.")
            }
            locked.append(key)
        }
        return try await work()
    }

    private func lock(_ key: String) async -> Bool {
        await withCheckedContinuation { (turn: Turn) in
            let isLocked = waiting.withLock { waiting -> Bool? in
                guard let others = waiting[key] else {
                    waiting[key] = []
                    return true
                }
                guard others.count < Self.mostWaiting else { return false }
                waiting[key] = others + [turn]
                return nil
            }
            if let isLocked { turn.resume(returning: isLocked) }
        }
    }

    private func unlock(_ key: String) {
        let next = waiting.withLock { waiting -> Turn? in
            guard let first = waiting[key]?.first else {
                waiting[key] = nil
                return nil
            }
            waiting[key]?.removeFirst()
            return first
        }
        next?.resume(returning: true)
    }
}
