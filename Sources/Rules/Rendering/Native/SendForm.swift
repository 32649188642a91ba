/// In what form news goes to a hub: `as:` of the configuration. The raw value is also what outcomes and the ledger call it.
package enum SendForm: String, Sendable, CaseIterable {
    /// Properties, of which each device's own template makes its notification, on every platform.
    case template
    /// Apple's payload.
    case apns
    /// Firebase's message, HTTP version 1.
    case fcmv1
    /// A toast for Windows.
    case wns
    /// Amazon's message.
    case adm
    /// What a site's service worker reads.
    case browser

    /// Whether a push in this form holds the text of one language only.
    package var hasOneLanguage: Bool { self != .template }
}
