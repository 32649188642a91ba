/// Something that must hold under every disturbance.
package protocol Guarantee: CustomStringConvertible, Sendable {
    /// One sentence for each time that it did not hold.
    var faults: [String] { get }
    /// The counts, in few words.
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
