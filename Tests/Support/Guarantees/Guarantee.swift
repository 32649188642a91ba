/// A property that must hold under every disturbance.
package protocol Guarantee: CustomStringConvertible, Sendable {
    /// One sentence for each violation.
    var faults: [String] { get }
    /// The counts in a few words.
    var figures: String { get }
}

extension Guarantee {
    /// Whether no fault was found.
    package var isMet: Bool { faults.isEmpty }

    package var description: String {
        guard !isMet else { return figures }
        return "\(figures): " + faults.prefix(12).joined(separator: "; ") + (faults.count > 12 ? "; …" : "")
    }
}
