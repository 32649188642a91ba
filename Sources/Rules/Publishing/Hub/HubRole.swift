package import NewsEvents

/// Which events a hub takes.
package struct HubRole: Sendable, Equatable {
    /// The hub's label in the configuration, as planned requests have it.
    package var name: String
    /// ``EventMode/live`` for readers' devices; ``EventMode/test`` for a hub that takes events of that mode and nothing else.
    package var mode: EventMode

    package init(_ name: String, mode: EventMode = .live) {
        self.name = name
        self.mode = mode
    }
}
