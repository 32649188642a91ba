import NotificationHubs

/// What a request asks of the installations, read and in order.
enum InstallationWork {
    case get(String)
    case put(PreparedInstallation)
    case patch(String, InstallationPatch)
    case delete(String)
}
