import Publishing

/// A hub of a rehearsal: it accepts every request, except for given faults.
struct RehearsedHub {
    /// The name in the configuration.
    let label: String
    private let faults: [HubFault]
    /// How many requests it got, probes included.
    private(set) var requests = 0
    /// Why its circuit is open; `nil` if it is closed.
    var openFor: HoldReason?

    init(_ settings: HubSettings, faults: [HubFault]) {
        label = settings.label
        self.faults = faults.filter { $0.hub == settings.label }
    }

    /// Gets a request.
    ///
    /// - Parameter line: The line of the record that came last.
    /// - Returns: The answer of the first fault that applies.
    mutating func answer(at line: Int) -> HubAnswer {
        requests += 1
        return faults.first { $0.applies(to: requests, at: line) }?.answer ?? .status(201)
    }
}
