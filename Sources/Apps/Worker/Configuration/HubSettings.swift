package import NewsflashEvents
import NewsflashPlanning
package import NewsflashRendering
package import NewsflashRouting

/// One hub.
package struct HubSettings: Sendable, Equatable {
    /// The purpose of a hub.
    package enum Mode: String, Sendable, CaseIterable {
        /// For subscribers.
        case live
        /// For rehearsals: receives the events of mode test and no others.
        case test

        /// The mode of the events that the hub receives.
        package var events: EventMode {
            switch self {
            case .live: .live
            case .test: .test
            }
        }
    }

    /// The key in the configuration, `main` for the short form. It identifies the hub in outcomes, the ledger, logs and
    /// metrics, because it depends neither on the order of hubs nor on their names.
    package var label: String
    /// The hub's name in its namespace.
    package var name: String
    /// The earlier addresses (`ENDPOINT/NAME`) from which all its devices have moved here.
    package var replaces: [String]
    package var mode: Mode
    /// The forms in which news is sent to the hub.
    package var forms: [PayloadFormat]
    /// The tags that the hub's devices register for.
    package var audiences: AudiencePlanner
    /// `nil` if none is configured: lint and render work without, running does not.
    package var credentials: HubCredentials?
    /// The message about missing ``credentials``, with what to set.
    package var missingCredentials: String
}

extension HubSettings {
    /// The part that the planner needs.
    var rules: HubRules { HubRules(label: label, mode: mode.events, forms: forms, audiences: audiences) }
}
