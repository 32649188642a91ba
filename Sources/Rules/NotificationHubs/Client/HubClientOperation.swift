/// What a client asks of its hub.
///
/// Each has its own rights and its own rule for what is done once more; see ``NotificationHubClient``.
public enum HubClientOperation: String, Sendable, CaseIterable {
    /// To tags, to everyone, or to devices by their handles.
    case send
    /// To a few devices, with the outcome in the answer.
    case testSend = "test_send"
    /// Kept by the hub until its time.
    case scheduleSend = "schedule_send"
    /// Takes a scheduled send back.
    case cancelScheduledSend = "cancel_scheduled_send"
    /// What became of a message.
    case telemetry
    /// Asks for a name for a registration.
    case createRegistrationID = "create_registration_id"
    /// Makes a registration under a name of the hub's choice.
    case createRegistration = "create_registration"
    /// Makes or replaces the registration of a name.
    case upsertRegistration = "upsert_registration"
    /// Replaces the registration of a name where nobody wrote it since.
    case updateRegistration = "update_registration"
    /// Reads one registration.
    case readRegistration = "read_registration"
    /// Removes a registration.
    case deleteRegistration = "delete_registration"
    /// Reads a page of all registrations, or of those with a tag.
    case listRegistrations = "list_registrations"
    /// Reads a page of the registrations of one device.
    case listRegistrationsOfChannel = "list_registrations_of_channel"
    /// Reads an installation.
    case readInstallation = "read_installation"
    /// Makes or replaces an installation.
    case putInstallation = "put_installation"
    /// Changes parts of an installation.
    case patchInstallation = "patch_installation"
    /// Removes an installation.
    case deleteInstallation = "delete_installation"

    /// The short label for metrics.
    public var label: String { rawValue }

    /// The claim that the policy of the key must have.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-security
    public var claim: String {
        switch self {
        case .send, .testSend, .scheduleSend, .cancelScheduledSend, .telemetry: "Send"
        case .listRegistrations: "Manage"
        case .createRegistrationID, .createRegistration, .upsertRegistration, .updateRegistration, .readRegistration,
            .deleteRegistration, .listRegistrationsOfChannel, .readInstallation, .putInstallation, .patchInstallation,
            .deleteInstallation:
            "Listen"
        }
    }

    /// Whether done twice it comes to the same: then it is tried again also where an attempt may have been carried out.
    ///
    /// A change to an installation sets and removes, so it belongs here although its method does not say so. A name that
    /// was given out in vain costs nothing.
    public var isRepeatable: Bool {
        switch self {
        case .send, .testSend, .scheduleSend, .createRegistration: false
        case .cancelScheduledSend, .telemetry, .createRegistrationID, .upsertRegistration, .updateRegistration,
            .readRegistration, .deleteRegistration, .listRegistrations, .listRegistrationsOfChannel, .readInstallation,
            .putInstallation,
            .patchInstallation, .deleteInstallation:
            true
        }
    }

    /// Whether it asks for a thing by its name: only then can it be the thing that a 404 misses.
    var namesThing: Bool {
        switch self {
        case .cancelScheduledSend, .telemetry, .updateRegistration, .readRegistration, .deleteRegistration,
            .listRegistrationsOfChannel, .readInstallation, .patchInstallation, .deleteInstallation:
            true
        case .send, .testSend, .scheduleSend, .createRegistrationID, .createRegistration, .upsertRegistration,
            .listRegistrations, .putInstallation:
            false
        }
    }

    /// Whether afterwards something is gone.
    var removes: Bool {
        switch self {
        case .cancelScheduledSend, .deleteRegistration, .deleteInstallation: true
        default: false
        }
    }
}
