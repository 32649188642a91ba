/// The hubs of a configuration: the address of each by its label.
///
/// An address is `ENDPOINT/NAME`, such as `news.servicebus.windows.net/newsroom`, and contains no secret. The ledger keeps the
/// addresses, so that a configuration cannot make a label mean another hub unnoticed: a withdrawal would reach devices that
/// never had the alert.
package struct HubAddresses: Sendable, Equatable {
    /// A label that means another hub in the ledger.
    package struct Conflict: Sendable, Equatable {
        package var label: String
        /// The address in the ledger.
        package var recorded: String
        /// The address in the configuration.
        package var configured: String

        package init(label: String, recorded: String, configured: String) {
            self.label = label
            self.recorded = recorded
            self.configured = configured
        }
    }

    /// The address of each hub, by its label.
    package var addresses: [String: String]
    /// The earlier addresses of labels whose devices have moved to the current address, as a person has confirmed.
    package var replaced: [String: [String]]

    package init(_ addresses: [String: String] = [:], replaced: [String: [String]] = [:]) {
        self.addresses = addresses
        self.replaced = replaced
    }

    /// The conflicts with the addresses of a ledger, by label. A label that only one of the two has is not a conflict. Letter
    /// case does not count, because host names and hub names ignore it.
    package func conflicts(with recorded: [String: String]) -> [Conflict] {
        addresses.sorted { $0.key < $1.key }.compactMap { label, address in
            guard let earlier = recorded[label], !Self.isSame(earlier, address),
                !replaced[label, default: []].contains(where: { Self.isSame($0, earlier) })
            else { return nil }
            return Conflict(label: label, recorded: earlier, configured: address)
        }
    }

    /// The addresses for the ledger: these, and those of labels that are no longer in the configuration, because the ledger
    /// still has their stories.
    package func merged(into recorded: [String: String]) -> [String: String] {
        recorded.merging(addresses) { $1 }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }
}
