/// How many connections each client has, by address, or by /64 of IPv6.
struct AddressCounts: Sendable {
    /// How many one client may have; `nil` for any number.
    let maximum: Int?
    private var counts: [ClientAddress: Int] = [:]

    /// Makes empty counts.
    ///
    /// - Parameter maximum: How many connections one client may have; `nil` for any number.
    init(maximum: Int?) {
        self.maximum = maximum
    }

    /// Whether a client may have one more.
    func admits(_ client: ClientAddress?) -> Bool {
        guard let maximum, let client else { return true }
        return counts[client.network, default: 0] < maximum
    }

    /// Counts a connection that was opened.
    mutating func open(_ client: ClientAddress?) {
        guard maximum != nil, let client else { return }
        counts[client.network, default: 0] += 1
    }

    /// Counts a connection that was closed.
    mutating func close(_ client: ClientAddress?) {
        guard maximum != nil, let network = client?.network, let count = counts[network] else { return }
        counts[network] = count > 1 ? count - 1 : nil
    }
}
