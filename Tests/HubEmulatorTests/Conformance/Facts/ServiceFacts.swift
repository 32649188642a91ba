/// The tables: operation, status, significant headers, elements in their order. They come from the recorded sessions of
/// 2018 to 2023. If the recordings are present, a test compares them with the tables.
enum ServiceFacts {
    private static let entry = "application/atom+xml;type=entry;charset=utf-8"
    private static let feed = "application/atom+xml;type=feed;charset=utf-8"
    private static let xml = "application/xml;charset=utf-8"
    private static let error = "Error(Code Detail)"

    /// The answers to each operation.
    static let answers = [
        ServiceFact(
            operation: "POST registrationids",
            status: 201,
            links: ["Location": "registrationids/{id}"]
        ),
        ServiceFact(
            operation: "POST registrations",
            status: 200,
            contentType: entry,
            links: ["Content-Location": "registrations/{id}"],
            hasETag: true,
            body: "entry(id title published updated link content({registration}))"
        ),
        ServiceFact(
            operation: "PUT registrations/id",
            status: 200,
            contentType: entry,
            hasETag: true,
            body: "entry(id title published updated link content({registration}))"
        ),
        ServiceFact(operation: "GET registrations/id", status: 404, contentType: xml, body: error),
        ServiceFact(operation: "DELETE registrations/id", status: 200),
        ServiceFact(
            operation: "GET registrations",
            status: 200,
            contentType: feed,
            body: "feed(title id updated link link? entry(id title published updated link content({registration}))*)"
        ),
        ServiceFact(
            operation: "GET tags/registrations",
            status: 200,
            contentType: feed,
            body: "feed(title id updated link entry(id title published updated link content({registration}))*)"
        ),
        ServiceFact(operation: "PUT installations/id", status: 200),
        ServiceFact(operation: "PATCH installations/id", status: 200),
        ServiceFact(operation: "DELETE installations/id", status: 204),
        ServiceFact(operation: "GET installations/id", status: 404, contentType: xml, body: error),
        ServiceFact(
            operation: "GET installations/id",
            status: 200,
            contentType: xml,
            body: "{}(expirationTime installationId lastActiveOn? lastUpdate? platform pushChannel pushChannelExpired "
                + "pushVariables? secondaryTiles? tags? templates? userId?)"
        ),
        ServiceFact(operation: "POST messages", status: 201, links: ["Location": "messages/{id}"]),
        ServiceFact(operation: "POST messages?direct", status: 201, links: ["Location": "messages/{id}"]),
        ServiceFact(operation: "POST messages?direct", status: 403),
        ServiceFact(operation: "POST messages/$batch?direct", status: 201, links: ["Location": "messages/{id}"]),
        ServiceFact(
            operation: "POST schedulednotifications",
            status: 201,
            links: ["Location": "schedulednotifications/{id}"]
        ),
        ServiceFact(
            operation: "PUT hub",
            status: 201,
            contentType: entry,
            body: "entry(id title published updated author(name) link content(NotificationHubDescription("
                + "RegistrationTtl AuthorizationRules(AuthorizationRule(ClaimType ClaimValue Rights(AccessRights*) "
                + "CreatedTime ModifiedTime KeyName PrimaryKey SecondaryKey)*))))"
        ),
        ServiceFact(
            operation: "GET hub",
            status: 401,
            contentType: xml,
            body: error,
            detail: "Manage claim is required for this operation."
        ),
        ServiceFact(
            operation: "PUT hub",
            status: 401,
            contentType: xml,
            body: error,
            detail: "InvalidSignature: The token has an invalid signature."
        ),
        ServiceFact(
            operation: "DELETE hub",
            status: 401,
            contentType: xml,
            body: error,
            detail: "InvalidSignature: The token has an invalid signature."
        ),
    ]

    /// The elements of each kind of registration, in the order of the service's answers.
    static let registrations = [
        registration("Apple", "DeviceToken"),
        registration(
            "AppleTemplate",
            "DeviceToken BodyTemplate Expiry? TemplateName? ApnsHeaders(ApnsHeader(Header Value)*)?"
        ),
        registration("Gcm", "GcmRegistrationId"),
        registration("GcmTemplate", "GcmRegistrationId BodyTemplate TemplateName?"),
        registration("Windows", "ChannelUri SecondaryTileName?"),
        registration(
            "WindowsTemplate",
            "ChannelUri SecondaryTileName? BodyTemplate WnsHeaders(WnsHeader(Header Value)*)? TemplateName?"
        ),
        registration("Mpns", "ChannelUri SecondaryTileName?"),
        registration("Adm", "AdmRegistrationId"),
        registration("AdmTemplate", "AdmRegistrationId BodyTemplate TemplateName?"),
    ]

    static let registrationShapes = registrations.map { DocumentShape($0) }

    private static func registration(_ kind: String, _ own: String) -> String {
        "\(kind)RegistrationDescription(ETag ExpirationTime RegistrationId Tags? PushVariables? \(own))"
    }
}
