/// A hub operation.
///
/// Each operation needs a claim and has a rule for retries; see ``NotificationHubClient``.
///
/// ```swift
/// for operation in HubClientOperation.allCases { print(operation.label, operation.claim, operation.isRepeatable) }
/// ```
public enum HubClientOperation: String, Sendable, CaseIterable {
    /// Sends to tags, to everyone, or to devices by their handles.
    case send
    /// Sends to a few devices; the response contains the outcomes.
    case testSend = "test_send"
    /// Sends at a later time; the hub keeps the message until then.
    case scheduleSend = "schedule_send"
    /// Cancels a scheduled send.
    case cancelScheduledSend = "cancel_scheduled_send"
    /// Reads the delivery counts of a message.
    case telemetry
    /// Requests a new registration ID.
    case createRegistrationID = "create_registration_id"
    /// Creates a registration with an ID chosen by the hub.
    case createRegistration = "create_registration"
    /// Creates or replaces the registration with a given ID.
    case upsertRegistration = "upsert_registration"
    /// Replaces the registration with a given ID if its ETag matches.
    case updateRegistration = "update_registration"
    /// Reads one registration.
    case readRegistration = "read_registration"
    /// Removes a registration.
    case deleteRegistration = "delete_registration"
    /// Reads a page of all registrations, or of the registrations with a tag.
    case listRegistrations = "list_registrations"
    /// Reads a page of the registrations of one device.
    case listRegistrationsOfChannel = "list_registrations_of_channel"
    /// Reads an installation.
    case readInstallation = "read_installation"
    /// Creates or replaces an installation.
    case putInstallation = "put_installation"
    /// Changes parts of an installation.
    case patchInstallation = "patch_installation"
    /// Removes an installation.
    case deleteInstallation = "delete_installation"

    /// Reads the URL of the container with rejected handles.
    case readFeedbackContainer = "read_feedback_container"
    /// Starts a bulk import or export.
    case submitJob = "submit_job"
    /// Reads a job.
    case readJob = "read_job"
    /// Reads all jobs.
    case listJobs = "list_jobs"
    /// Reads the description of the hub.
    case readHub = "read_hub"
    /// Creates the hub.
    case createHub = "create_hub"
    /// Replaces the settings of the hub.
    case updateHub = "update_hub"
    /// Deletes the hub.
    case deleteHub = "delete_hub"
    /// Reads the descriptions of all hubs of the namespace.
    case listHubs = "list_hubs"

    /// The short label for metrics.
    public var label: String { rawValue }

    /// The claim that the policy of the key must have.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-security
    public var claim: String {
        switch self {
        case .send, .testSend, .scheduleSend, .cancelScheduledSend, .telemetry: "Send"
        case .listRegistrations, .readFeedbackContainer, .submitJob, .readJob, .listJobs, .readHub, .createHub,
            .updateHub,
            .deleteHub, .listHubs:
            "Manage"
        case .createRegistrationID, .createRegistration, .upsertRegistration, .updateRegistration, .readRegistration,
            .deleteRegistration, .listRegistrationsOfChannel, .readInstallation, .putInstallation, .patchInstallation,
            .deleteInstallation:
            "Listen"
        }
    }

    /// Whether repeating the operation does no harm, so that it is retried even if an attempt may have been carried out.
    ///
    /// A change to an installation only sets and removes values, so it is repeatable although its method is PATCH. An unused
    /// registration ID costs nothing.
    public var isRepeatable: Bool {
        switch self {
        // A second creation conflicts, and a second deletion misses, although the first one succeeded.
        case .send, .testSend, .scheduleSend, .createRegistration, .submitJob, .createHub, .deleteHub: false
        case .cancelScheduledSend, .telemetry, .createRegistrationID, .upsertRegistration, .updateRegistration,
            .readRegistration, .deleteRegistration, .listRegistrations, .listRegistrationsOfChannel, .readInstallation,
            .putInstallation,
            .patchInstallation, .deleteInstallation, .readFeedbackContainer, .readJob, .listJobs, .readHub, .updateHub,
            .listHubs:
            true
        }
    }

    /// Whether the request contains a message.
    var sendsMessage: Bool {
        switch self {
        case .send, .testSend, .scheduleSend: true
        default: false
        }
    }

    /// Whether the request addresses an existing object by its ID. Only then can a 404 mean that the object is missing.
    var namesThing: Bool {
        switch self {
        case .cancelScheduledSend, .telemetry, .updateRegistration, .readRegistration, .deleteRegistration,
            .listRegistrationsOfChannel, .readInstallation, .patchInstallation, .deleteInstallation, .readJob:
            true
        case .send, .testSend, .scheduleSend, .createRegistrationID, .createRegistration, .upsertRegistration,
            .listRegistrations, .putInstallation, .readFeedbackContainer, .submitJob, .listJobs, .readHub, .createHub,
            .updateHub, .deleteHub, .listHubs:
            false
        }
    }

    /// Whether the operation deletes an object.
    var removes: Bool {
        switch self {
        case .cancelScheduledSend, .deleteRegistration, .deleteInstallation: true
        default: false
        }
    }
}
