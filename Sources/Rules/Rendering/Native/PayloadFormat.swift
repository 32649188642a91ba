/// The form in which news is sent to a hub: `as:` of the configuration. The raw value is also used in outcomes and the
/// ledger.
package enum PayloadFormat: String, Sendable, CaseIterable {
    /// Properties from which each device's own template makes its notification, on every platform.
    case template
    /// Apple's payload.
    case apns
    /// Firebase's message, HTTP version 1.
    case fcmv1
    /// A toast for Windows.
    case wns
    /// Amazon's message.
    case adm
    /// A message for a site's service worker.
    case browser

    /// Whether a push in this form contains the text of only one language.
    package var hasOneLanguage: Bool { self != .template }
}
