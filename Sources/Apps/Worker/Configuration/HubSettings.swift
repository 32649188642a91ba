package import NewsEvents
package import Rendering
package import Routing

/// One hub.
package struct HubSettings: Sendable, Equatable {
    /// Whom a hub is for.
    package enum Mode: String, Sendable, CaseIterable {
        /// For readers.
        case live
        /// For rehearsals: events of mode test go here, and nothing else does.
        case test

        /// The mode of the events that go there.
        package var events: EventMode {
            switch self {
            case .live: .live
            case .test: .test
            }
        }
    }

    /// The key in the configuration, `main` for the short form. Outcomes, the ledger, logs and metrics call the hub so: it
    /// depends neither on the order of hubs nor on their names.
    package var label: String
    /// The hub's name in its namespace.
    package var name: String
    /// The earlier addresses (`ENDPOINT/NAME`) from which all its devices have moved here.
    package var replaces: [String]
    package var mode: Mode
    /// In what forms news goes there.
    package var forms: [SendForm]
    /// The tags that its devices register for.
    package var audiences: AudiencePlanner
    /// `nil` where none is configured: enough to lint and to render, not to run.
    package var credentials: HubCredentials?
    /// What to set where ``credentials`` is `nil`.
    package var missingCredentials: String
}
