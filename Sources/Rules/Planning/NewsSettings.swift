package import NewsflashEvents
package import NewsflashRendering
package import NewsflashRouting

/// The texts and audiences of news.
package struct NewsSettings: Sendable {
    package var locales: OfferedLocales
    package var text: TextRules
    package var categories: CategoryMap
    /// Tags for the hubs that have none of their own.
    package var audiences: AudiencePlanner
    /// Tags of users whom events name.
    package var users: UserPlanner
    /// The interruption level of each urgency.
    package var interruption: InterruptionLevels
    /// The properties of a template send.
    package var properties: TemplateProperties
    package var limits: TextLimits

    package init(
        locales: OfferedLocales,
        text: TextRules,
        categories: CategoryMap,
        audiences: AudiencePlanner,
        users: UserPlanner,
        interruption: InterruptionLevels,
        properties: TemplateProperties,
        limits: TextLimits
    ) {
        self.locales = locales
        self.text = text
        self.categories = categories
        self.audiences = audiences
        self.users = users
        self.interruption = interruption
        self.properties = properties
        self.limits = limits
    }

    /// The route of an event by its categories. If none of them is mapped, the event's spare categories are used.
    package func route(of event: NewsEvent) -> Route {
        let route = categories.route(event.categories).route
        guard route.categories.isEmpty, !event.spareCategories.isEmpty else { return route }
        return categories.route(event.spareCategories).route
    }
}

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
