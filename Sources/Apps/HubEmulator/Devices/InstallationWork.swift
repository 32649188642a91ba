import NotificationHubs

/// A valid request about an installation.
enum InstallationWork {
    case get(String)
    case put(PreparedInstallation)
    case patch(String, InstallationPatch)
    case delete(String)
}
