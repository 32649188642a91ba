/// How many connections each client has, by address, or by /64 of IPv6.
struct AddressCounts: Sendable {
    /// How many one client may have; `nil` for any number.
    let maximum: Int?
    /// Addresses that may have any number, such as those of proxies, whose connections are those of all clients.
    let uncounted: [AddressRange]
    private var counts: [ClientAddress: Int] = [:]

    /// Makes empty counts.
    ///
    /// - Parameters:
    ///   - maximum: How many connections one client may have; `nil` for any number.
    ///   - uncounted: Addresses that may have any number.
    init(maximum: Int?, uncounted: [AddressRange] = []) {
        self.maximum = maximum
        self.uncounted = uncounted
    }

    /// Whether a client may have one more.
    func admits(_ client: ClientAddress?) -> Bool {
        guard let maximum, let client, isCounted(client) else { return true }
        return counts[client.network, default: 0] < maximum
    }

    /// Counts a connection that was opened.
    mutating func open(_ client: ClientAddress?) {
        guard maximum != nil, let client, isCounted(client) else { return }
        counts[client.network, default: 0] += 1
    }

    /// Counts a connection that was closed.
    mutating func close(_ client: ClientAddress?) {
        guard maximum != nil, let client, isCounted(client), let count = counts[client.network] else { return }
        counts[client.network] = count > 1 ? count - 1 : nil
    }

    private func isCounted(_ client: ClientAddress) -> Bool { !uncounted.contains { $0.contains(client) } }
}
