import Locks
import StructuredLog
import Timestamps

/// Removes the devices of users who are in the file of users no more, so that nothing that names them arrives, and nothing
/// for a later user of the same name.
///
/// It notices those who go while it runs.
final class FormerUsers: Sendable {
    /// Between two looks at the users.
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

    /// Begins to watch, in the background.
    func open() {
        // ``close()`` cancels it and waits for it.
        running.withLock { task in
            task = Task {
                while !Task.isCancelled {
                    await look()
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }
    }

    /// Ends.
    func close() async {
        guard let task = running.withLock({ $0.take() }) else { return }
        task.cancel()
        await task.value
    }

    private func look() async {
        let names = users.names(now: .now)
        if let kept = watch.withLock({ $0.look(names) }) {
            logger.error(
                "most users are gone at once: their devices are kept",
                metadata: [
                    "users": LogValue(kept),
                    "remedy": .string("look at the file of users; 'newsflash gateway user' writes it"),
                ]
            )
        }
        for name in watch.withLock({ $0.former }) {
            guard let user = GatewayUser(name) else { continue }
            do throws(GatewayRefusal) {
                let devices = try await handles.removeAll(of: user)
                watch.withLock { $0.isDone(name) }
                logger.notice(
                    "a user is gone, and the devices with it",
                    metadata: ["user": .string(name), "devices": LogValue(devices.count)]
                )
            } catch {
                // Tried again at the next look.
                logger.debug(
                    "devices of a former user cannot be removed yet",
                    metadata: ["user": .string(name), "detail": .string(error.detail ?? error.label)]
                )
            }
        }
    }
}

/// Which users are gone.
struct UserWatch: Sendable, Equatable {
    /// The limit above which users who are more than half of all are gone by mistake: the file is being written, or is another.
    private static let mostAtOnce = 10

    private var names: Set<String>
    /// The users whose devices are still to be removed, in order.
    private(set) var former: [String] = []

    init(_ names: Set<String>) {
        self.names = names
    }

    /// Looks at the users as they are now.
    ///
    /// - Returns: The number of users who are gone by mistake and keep their devices; `nil` if that is not so.
    mutating func look(_ present: Set<String>) -> Int? {
        guard present != names || !former.isEmpty else { return nil }
        let gone = names.subtracting(present)
        let isMistake = gone.count > Self.mostAtOnce && 2 * gone.count > names.count
        names = present
        former = (isMistake ? [] : gone.sorted()) + former.filter { !present.contains($0) && !gone.contains($0) }
        return isMistake ? gone.count : nil
    }

    /// Notes that a former user has no device any more.
    mutating func isDone(_ name: String) { former.removeAll { $0 == name } }
}
