/// For a gateway that has no texts of secure pushes: none is found.
package struct NoSecureNotifications: SecureNotifications {
    /// Makes one.
    package init() {}

    package func notification(_ id: String, for user: String, languages: [String]) async -> SecureNotification {
        .notFound
    }
}
