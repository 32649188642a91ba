import NotificationHubs

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

    init(_ installation: Installation) throws(TemplateError) {
        self.installation = installation
        var registrations: [PreparedRegistration] = []
        for description in installation.registrations() { registrations.append(try PreparedRegistration(description)) }
        self.registrations = registrations
    }
}
