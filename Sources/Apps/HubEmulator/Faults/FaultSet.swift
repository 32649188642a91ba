/// All that goes wrong on purpose.
package struct FaultSet: Sendable, Equatable {
    /// For requests to the hub.
    package var requests: [Fault]
    /// For deliveries of what was accepted.
    package var deliveries: [DeliveryFault]

    /// Makes a set.
    ///
    /// - Parameters:
    ///   - requests: For requests to the hub.
    ///   - deliveries: For deliveries of what was accepted.
    package init(requests: [Fault] = [], deliveries: [DeliveryFault] = []) {
        self.requests = requests
        self.deliveries = deliveries
    }
}
