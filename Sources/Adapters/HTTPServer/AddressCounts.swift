/// The number of open connections of each client, by IPv4 address or IPv6 /64.
struct AddressCounts: Sendable {
    /// The maximum for one client; `nil` for no limit.
    let maximum: Int?
    /// Addresses without a limit, such as those of proxies, whose connections are those of all clients.
    let uncounted: [AddressRange]
    private var counts: [ClientAddress: Int] = [:]

    /// Creates empty counts.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of connections of one client; `nil` for no limit.
    ///   - uncounted: Addresses without a limit.
    init(maximum: Int?, uncounted: [AddressRange] = []) {
        self.maximum = maximum
        self.uncounted = uncounted
    }

    /// Whether a client may open another connection.
    func admits(_ client: ClientAddress?) -> Bool {
        guard let maximum, let client, isCounted(client) else { return true }
        return counts[client.network, default: 0] < maximum
    }

    /// Counts an opened connection.
    mutating func open(_ client: ClientAddress?) {
        guard maximum != nil, let client, isCounted(client) else { return }
        counts[client.network, default: 0] += 1
    }

    /// Counts a closed connection.
    mutating func close(_ client: ClientAddress?) {
        guard maximum != nil, let client, isCounted(client), let count = counts[client.network] else { return }
        counts[client.network] = count > 1 ? count - 1 : nil
    }

    private func isCounted(_ client: ClientAddress) -> Bool { !uncounted.contains { $0.contains(client) } }
}
