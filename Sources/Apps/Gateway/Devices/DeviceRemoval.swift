import CurlTransport
import NotificationHubs
package import Worker

/// Removes the devices of users from the hub without a gateway that runs.
package struct DeviceRemoval: Sendable {
    /// The time in which gateways take over a change of the file of users and end the requests that they admitted before.
    package static let usualSettlingTime = Duration.seconds(3)
    /// The time after which devices that the hub still lists are an error.
    private static let deadline = Duration.seconds(30)
    /// Between two looks at the hub.
    private static let interval = Duration.milliseconds(500)

    private let settlingTime: Duration
    private let remove: @Sendable (GatewayUser) async throws(GatewayRefusal) -> Set<DeviceRecord>
    private let end: @Sendable () -> Void

    /// Prepares removals; nobody is asked yet.
    ///
    /// - Parameters:
    ///   - configuration: The worker's, with the hub and its credentials.
    ///   - settlingTime: A look at the hub counts only if it is this much later than the call.
    /// - Throws: ``GatewayStartError`` for credentials that cannot be read.
    package init(
        _ configuration: WorkerConfiguration,
        settlingTime: Duration = usualSettlingTime
    ) throws(GatewayStartError) {
        let transport = try Gateway.transport(configuration)
        let handles = DeviceHandles(hub: try HubDoor(configuration.hub, transport: transport))
        self.init(settlingTime: settlingTime, end: { transport.shutdown() }) { user throws(GatewayRefusal) in
            try await handles.removeAll(of: user)
        }
    }

    /// Prepares removals by a function.
    ///
    /// - Parameters:
    ///   - settlingTime: A look counts only if it is this much later than the call.
    ///   - end: Ends the connections.
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

    /// Removes all devices of a user, and looks until the hub has none of them.
    ///
    /// - Parameter user: A user who is in the file of users no more, or never was.
    /// - Returns: The number of registrations and installations that were removed.
    /// - Throws: ``GatewayRefusal`` if the hub cannot be asked, or still lists devices after half a minute.
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

    /// Ends the connections to the hub.
    package func close() { end() }
}
