/// All faults.
package struct FaultSet: Sendable, Equatable {
    /// The request faults.
    package var requests: [Fault]
    /// The delivery faults.
    package var deliveries: [DeliveryFault]

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - requests: The request faults.
    ///   - deliveries: The delivery faults.
    package init(requests: [Fault] = [], deliveries: [DeliveryFault] = []) {
        self.requests = requests
        self.deliveries = deliveries
    }
}
