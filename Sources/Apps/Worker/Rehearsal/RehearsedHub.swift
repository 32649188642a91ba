import Publishing

/// A hub of a rehearsal: it accepts every request, except for given faults.
struct RehearsedHub {
    /// The name in the configuration.
    let label: String
    private let faults: [HubFault]
    /// The number of received requests, including probes.
    private(set) var requests = 0
    /// The reason why its circuit is open; `nil` if it is closed.
    var openFor: CircuitReason?

    init(_ settings: HubSettings, faults: [HubFault]) {
        label = settings.label
        self.faults = faults.filter { $0.hub == settings.label }
    }

    /// Receives a request.
    ///
    /// - Parameter line: The line of the latest record.
    /// - Returns: The response of the first fault that applies; 201 if none does.
    mutating func answer(at line: Int) -> RehearsedAnswer {
        requests += 1
        return faults.first { $0.applies(to: requests, at: line) }?.answer ?? .status(201)
    }
}
