public import HTTPTransport

/// The registrar of the device: the hub itself, with a key that has only the right Listen, or a back end with users.
///
/// ```swift
/// let registrar = try Registrar.hub(connection: listenConnectionString, name: "newsdesk", transport: transport)
/// ```
public struct Registrar: Sendable {
    let dialect: any RegistrationDialect
    /// Other kinds of registrations that the same credentials can remove.
    let others: [any RegistrationDialect]

    init(dialect: any RegistrationDialect, others: [any RegistrationDialect] = []) {
        self.dialect = dialect
        self.others = others
    }

    /// Registers with the hub, as in the breaking-news tutorial.
    ///
    /// ```swift
    /// let registrar = try Registrar.hub(
    ///     connection: "Endpoint=sb://newsdesk.servicebus.windows.net/;"
    ///         + "SharedAccessKeyName=DefaultListenSharedAccessSignature;SharedAccessKey=…",
    ///     name: "newsdesk",
    ///     transport: URLSessionTransport()
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - connection: The connection string of a policy with only the right Listen, because anybody can extract it from an
    ///     app.
    ///   - name: The hub's name.
    ///   - transport: The transport of the requests; on Apple's platforms a `URLSessionTransport`.
    /// - Returns: A registrar for a ``NewsSubscriber``.
    /// - Throws: ``SubscriptionError`` for an invalid connection string or hub's name, and for a key with full access.
    public static func hub(
        connection: String,
        name: String,
        transport: any HTTPTransport
    ) throws(SubscriptionError) -> Registrar {
        Registrar(dialect: try HubDialect(connection: connection, hub: name, transport: transport))
    }

    /// Registers through a back end in the two steps of the notify-users tutorial.
    ///
    /// The back end makes a native registration: the device shows messages to its user, and news that is sent natively.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: .gateway(gateway), storage: storage)
    /// ```
    ///
    /// - Parameter gateway: The gateway with the signed-in user.
    /// - Returns: A registrar for a ``NewsSubscriber``.
    public static func gateway(_ gateway: NewsGateway) -> Registrar {
        Registrar(dialect: GatewayDialect(gateway: gateway), others: [InstallationDialect(gateway: gateway)])
    }

    /// Registers through a back end as an installation, with a template.
    ///
    /// One device then shows template sends, in the subscriber's language, and messages to its user.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: .installation(through: gateway), storage: storage)
    /// ```
    ///
    /// - Parameter gateway: The gateway with the signed-in user.
    /// - Returns: A registrar for a ``NewsSubscriber``.
    public static func installation(through gateway: NewsGateway) -> Registrar {
        Registrar(dialect: InstallationDialect(gateway: gateway), others: [GatewayDialect(gateway: gateway)])
    }
}
