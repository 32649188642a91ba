package import NewsEvents
package import Rendering
package import Routing

/// The events that one hub receives, and their forms and tags.
package struct HubRules: Sendable {
    /// The hub's label in the configuration, in outcomes and in the ledger.
    package var label: String
    /// ``EventMode/live`` for a hub of subscribers; ``EventMode/test`` for a hub that receives only test events.
    package var mode: EventMode
    /// The forms in which news is sent to the hub.
    package var forms: [PayloadFormat]
    /// The tags that the hub's devices register for.
    package var audiences: AudiencePlanner

    package init(label: String, mode: EventMode, forms: [PayloadFormat], audiences: AudiencePlanner) {
        self.label = label
        self.mode = mode
        self.forms = forms
        self.audiences = audiences
    }
}
