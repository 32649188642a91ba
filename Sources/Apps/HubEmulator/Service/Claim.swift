/// A permission of a policy.
package enum Claim: String, Sendable, CaseIterable {
    /// Single registrations and installations.
    case listen = "Listen"
    /// Sends.
    case send = "Send"
    /// The hub itself and lists of registrations.
    case manage = "Manage"
}
