import NewsflashBasics
import NewsflashObservability
import NewsflashTimestamps

/// Removes the devices of users who were removed from the users file. Their personal messages must not arrive any more, and
/// messages for a later user of the same name must not arrive either.
///
/// Only users removed while the gateway runs are noticed.
final class FormerUsers: Sendable {
    /// The interval between two checks of the users.
    private static let interval = Duration.seconds(1)

    private let users: UserDirectory
    private let handles: DeviceHandles
    private let logger: Logger
    private let watch: Locked<UserWatch>
    private let running = Locked<Task<Void, Never>?>(nil)

    init(_ users: UserDirectory, _ handles: DeviceHandles, logger: Logger) {
        self.users = users
        self.handles = handles
        self.logger = logger
        watch = Locked(UserWatch(users.names(now: .now)))
    }

    /// Starts watching in the background.
    func open() {
        // ``close()`` cancels it and waits for it.
        running.withLock { task in
            task = Task {
                while !Task.isCancelled {
                    await check()
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }
    }

    /// Stops watching.
    func close() async {
        guard let task = running.withLock({ $0.take() }) else { return }
        task.cancel()
        await task.value
    }

    private func check() async {
        let names = users.names(now: .now)
        if let kept = watch.withLock({ $0.record(names) }) {
            logger.error(
                "most users were removed at once; their devices are kept",
                metadata: [
                    "users": LogValue(kept),
                    "remedy": .string("check the users file; change it with 'newsflash gateway user'"),
                ]
            )
        }
        for name in watch.withLock({ $0.former }) {
            guard let user = GatewayUser(name) else { continue }
            do throws(GatewayRefusal) {
                let devices = try await handles.removeAll(of: user)
                watch.withLock { $0.isDone(name) }
                logger.notice(
                    "a user was removed, with all devices",
                    metadata: ["user": .string(name), "devices": LogValue(devices.count)]
                )
            } catch {
                // Repeated at the next check.
                logger.debug(
                    "devices of a former user cannot be removed yet",
                    metadata: ["user": .string(name), "detail": .string(error.detail ?? error.label)]
                )
            }
        }
    }
}

/// Detects removed users.
struct UserWatch: Sendable, Equatable {
    /// If more users than this and more than half of all disappear at once, it is treated as a mistake: the file is being
    /// written, or
    /// was replaced.
    private static let mostAtOnce = 10

    private var names: Set<String>
    /// The users whose devices must still be removed, in order.
    private(set) var former: [String] = []

    init(_ names: Set<String>) {
        self.names = names
    }

    /// Compares the users with those of the last check.
    ///
    /// - Returns: The number of users whose disappearance is treated as a mistake, so that they keep their devices; otherwise
    ///   `nil`.
    mutating func record(_ present: Set<String>) -> Int? {
        guard present != names || !former.isEmpty else { return nil }
        let gone = names.subtracting(present)
        let isMistake = gone.count > Self.mostAtOnce && 2 * gone.count > names.count
        names = present
        former = (isMistake ? [] : gone.sorted()) + former.filter { !present.contains($0) && !gone.contains($0) }
        return isMistake ? gone.count : nil
    }

    /// Records that all devices of a former user are removed.
    mutating func isDone(_ name: String) { former.removeAll { $0 == name } }
}
