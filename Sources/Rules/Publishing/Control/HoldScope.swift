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

    /// Its name in keys of the control topic.
    package var key: String {
        switch self {
        case .all: "all"
        case .source(let source): "source \(source)"
        }
    }

    /// The scope of that name; `nil` if no scope has it.
    ///
    /// - Parameter key: As ``key`` returns it.
    package init?(key: String) {
        if key == "all" {
            self = .all
        } else if key.hasPrefix("source "), key.utf8.count > 7 {
            self = .source(String(key.dropFirst(7)))
        } else {
            return nil
        }
    }
}

extension HoldScope: CustomStringConvertible {
    package var description: String { source ?? "all sources" }
}
