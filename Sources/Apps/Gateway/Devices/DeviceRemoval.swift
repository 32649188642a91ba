import NewsflashCurlTransport
package import NewsflashWorker
import NotificationHubs

/// Removes users' devices from the hub without a running gateway.
package struct DeviceRemoval: Sendable {
    /// The time that gateways need to apply a change of the users file and to finish the requests admitted before.
    package static let usualSettlingTime = Duration.seconds(3)
    /// The time after which remaining devices are an error.
    private static let deadline = Duration.seconds(30)
    /// The interval between two queries of the hub.
    private static let interval = Duration.milliseconds(500)

    private let settlingTime: Duration
    private let remove: @Sendable (GatewayUser) async throws(GatewayRefusal) -> Set<DeviceRecord>
    private let end: @Sendable () -> Void

    /// Prepares the removal; sends no request.
    ///
    /// - Parameters:
    ///   - configuration: The worker's configuration, with the hub and its credentials.
    ///   - settlingTime: The minimum time between the start of a removal and its final query.
    /// - Throws: ``GatewayStartError`` if the credentials cannot be read.
    package init(
        _ configuration: WorkerConfiguration,
        settlingTime: Duration = usualSettlingTime
    ) throws(GatewayStartError) {
        let transport = try Gateway.transport(configuration)
        let handles = DeviceHandles(hub: try GatewayHub(configuration.hub, transport: transport))
        self.init(settlingTime: settlingTime, end: { transport.shutdown() }) { user throws(GatewayRefusal) in
            try await handles.removeAll(of: user)
        }
    }

    /// Prepares the removal with a given function.
    ///
    /// - Parameters:
    ///   - settlingTime: The minimum time between the start of a removal and its final query.
    ///   - end: Closes the connections.
    ///   - remove: Removes all devices that the hub lists, and returns them.
    init(
        settlingTime: Duration,
        end: @escaping @Sendable () -> Void = {},
        remove: @escaping @Sendable (GatewayUser) async throws(GatewayRefusal) -> Set<DeviceRecord>
    ) {
        self.settlingTime = settlingTime
        self.end = end
        self.remove = remove
    }

    /// Removes all devices of a user, and repeats this until the hub lists none.
    ///
    /// - Parameter user: A user who is not in the users file.
    /// - Returns: The number of removed registrations and installations.
    /// - Throws: ``GatewayRefusal`` if the hub cannot be queried, or still lists devices after 30 seconds.
    package func removeAll(of user: GatewayUser) async throws(GatewayRefusal) -> Int {
        let began = ContinuousClock.now
        var removed: Set<DeviceRecord> = []
        while true {
            let found = try await remove(user)
            removed.formUnion(found)
            let elapsed = ContinuousClock.now - began
            if found.isEmpty, elapsed >= settlingTime { return removed.count }
            guard elapsed < Self.deadline else {
                throw .unavailable("devices_left", "The hub still lists devices of the user.")
            }
            do {
                try await Task.sleep(for: Self.interval)
            } catch {
                throw .unavailable("cancelled", "The removal was cancelled.")
            }
        }
    }

    /// Closes the connections to the hub.
    package func close() { end() }
}
