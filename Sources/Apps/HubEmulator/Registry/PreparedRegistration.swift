import NotificationHubs
import Timestamps

/// What a device registers with its template compiled: all that can be done before the hub's lock is taken.
struct PreparedRegistration {
    let description: RegistrationDescription
    let template: NotificationTemplate?

    /// Takes a template that is compiled already.
    init(_ description: RegistrationDescription, template: NotificationTemplate?) {
        self.description = description
        self.template = template
    }

    init(_ description: RegistrationDescription) throws(TemplateError) {
        self.description = description
        if let template = description.template {
            self.template = try NotificationTemplate(template, platform: description.channel.platform)
        } else {
            self.template = nil
        }
    }
}

/// An installation with the registrations that it becomes.
struct PreparedInstallation {
    let installation: Installation
    let registrations: [PreparedRegistration]

    /// The same with the end that its hub gives it with each write; clients cannot set one.
    func ending(_ end: Timestamp?) -> PreparedInstallation {
        var installation = installation
        installation.expiration = end
        return PreparedInstallation(installation, registrations: registrations)
    }

    private init(_ installation: Installation, registrations: [PreparedRegistration]) {
        self.installation = installation
        self.registrations = registrations
    }

    init(_ installation: Installation) throws(TemplateError) {
        self.installation = installation
        var registrations: [PreparedRegistration] = []
        for description in installation.registrations() {
            // On a channel that has expired nobody is reached, until the installation is written with another.
            if installation.isChannelExpired, description.secondaryTileName == nil { continue }
            registrations.append(try PreparedRegistration(description))
        }
        self.registrations = registrations
    }
}
