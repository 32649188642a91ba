/// Whose events a hold keeps.
package enum HoldScope: Hashable, Sendable {
    case all
    /// Those of one source, as events name it.
    case source(String)

    /// The source; `nil` for all.
    package var source: String? {
        switch self {
        case .all: nil
        case .source(let source): source
        }
    }

    /// The key of its record in the control topic.
    package var key: String {
        switch self {
        case .all: "all"
        case .source(let source): "source \(source)"
        }
    }
}

extension HoldScope: CustomStringConvertible {
    package var description: String { source ?? "all sources" }
}
