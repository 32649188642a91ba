import NotificationHubs
import Timestamps

/// A device's registration with its template compiled: all work that needs no lock.
struct PreparedRegistration {
    let description: RegistrationDescription
    let template: NotificationTemplate?

    /// Uses a template that is already compiled.
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

/// An installation with the registrations that it consists of.
struct PreparedInstallation {
    let installation: Installation
    let registrations: [PreparedRegistration]

    /// A copy with the expiration that its hub sets on each write; clients cannot set one.
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
            // An expired channel reaches nobody until the installation is written with another one.
            if installation.isChannelExpired, description.secondaryTileName == nil { continue }
            registrations.append(try PreparedRegistration(description))
        }
        self.registrations = registrations
    }
}
