public import HTTPTransport

/// Who registers the device: the hub itself, under a key that may only listen, or a back end that knows its user.
///
/// ```swift
/// let registrar = try Registrar.hub(connection: listenConnectionString, name: "newsdesk", transport: transport)
/// ```
public struct Registrar: Sendable {
    let dialect: any RegistrationDialect
    /// Other kinds that the same credentials can remove.
    let others: [any RegistrationDialect]

    init(dialect: any RegistrationDialect, others: [any RegistrationDialect] = []) {
        self.dialect = dialect
        self.others = others
    }

    /// Registers with the hub, as the breaking-news tutorial does.
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
    ///   - connection: The connection string of a policy that may only listen: it is in everybody's hands.
    ///   - name: The hub's name.
    ///   - transport: Carries the requests; on Apple's platforms a `URLSessionTransport`.
    /// - Returns: For a ``NewsSubscriber``.
    /// - Throws: ``SubscriptionError`` for what is no connection string or no hub's name, and for a key that may do all.
    public static func hub(
        connection: String,
        name: String,
        transport: any HTTPTransport
    ) throws(SubscriptionError) -> Registrar {
        Registrar(dialect: try HubDialect(connection: connection, hub: name, transport: transport))
    }

    /// Registers through a back end in the two steps of the notify-users tutorial.
    ///
    /// The back end makes a native registration: it shows what is sent to its user, and news that are sent natively.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: .gateway(gateway), storage: storage)
    /// ```
    ///
    /// - Parameter gateway: With the signed-in user.
    /// - Returns: For a ``NewsSubscriber``.
    public static func gateway(_ gateway: NewsGateway) -> Registrar {
        Registrar(dialect: GatewayDialect(gateway: gateway), others: [InstallationDialect(gateway: gateway)])
    }

    /// Registers through a back end as an installation, with a template.
    ///
    /// So one device shows template sends, in the reader's language, and what is sent to its user.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: .installation(through: gateway), storage: storage)
    /// ```
    ///
    /// - Parameter gateway: With the signed-in user.
    /// - Returns: For a ``NewsSubscriber``.
    public static func installation(through gateway: NewsGateway) -> Registrar {
        Registrar(dialect: InstallationDialect(gateway: gateway), others: [GatewayDialect(gateway: gateway)])
    }
}
