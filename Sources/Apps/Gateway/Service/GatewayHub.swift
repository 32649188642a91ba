import NewsflashBasics
package import NewsflashHTTPTransport
package import NewsflashWorker
package import NotificationHubs

/// Access to the hub: sends requests and converts its errors into refusals.
package final class GatewayHub: Sendable {
    private struct State {
        var connection: HubConnectionString
        var client: NotificationHubClient
    }

    private let credentials: HubCredentials
    private let make: @Sendable (HubConnectionString) throws(HubError) -> NotificationHubClient
    private let state: Locked<State>

    /// Creates the access to a hub.
    ///
    /// - Parameters:
    ///   - settings: The hub and its credentials.
    ///   - transport: The transport that sends the requests.
    ///   - retries: The retry policy while a client waits.
    /// - Throws: ``GatewayStartError`` if the credentials cannot be read.
    package init(
        _ settings: HubSettings,
        transport: any HTTPTransport,
        // Short, because a client waits meanwhile and retries itself.
        retries: HubRetryPolicy = HubRetryPolicy(
            maximumAttempts: 3,
            maximumTime: .seconds(8),
            firstWait: .milliseconds(100),
            longestWait: .seconds(1)
        )
    ) throws(GatewayStartError) {
        guard let credentials = settings.credentials else {
            throw GatewayStartError(.configuration, settings.missingCredentials)
        }
        let name = settings.name
        let make: @Sendable (HubConnectionString) throws(HubError) -> NotificationHubClient = {
            connection throws(HubError) in
            try NotificationHubClient(
                connection: connection,
                hub: name,
                transport: transport,
                retries: retries,
                userAgent: "newsflash"
            )
        }
        let connection: HubConnectionString
        do throws(HubCredentialsError) {
            connection = try credentials.read()
        } catch {
            throw GatewayStartError(.configuration, error.description)
        }
        do throws(HubError) {
            state = Locked(State(connection: connection, client: try make(connection)))
        } catch {
            throw GatewayStartError(.configuration, error.description)
        }
        self.credentials = credentials
        self.make = make
    }

    /// Sends a repeatable request to the hub.
    ///
    /// If the hub does not accept the token, the connection string is read again. If it has changed, the request is repeated
    /// once.
    ///
    /// - Parameter ask: The request; repeating it must do no harm.
    /// - Returns: The hub's response.
    /// - Throws: ``GatewayRefusal``, with the hub's response as a detail for the log.
    func ask<Answer: Sendable>(
        _ ask: @Sendable (NotificationHubClient) async throws(HubError) -> Answer
    ) async throws(GatewayRefusal) -> Answer {
        do throws(HubError) {
            return try await tryWithRenewedCredentials(ask)
        } catch {
            throw GatewayRefusal(error)
        }
    }

    /// Sends a message through the hub.
    ///
    /// - Parameter send: Sends the message.
    /// - Returns: The hub's response.
    /// - Throws: ``GatewayRefusal``, which shows whether the message may have been sent.
    func send<Answer: Sendable>(
        _ send: @Sendable (NotificationHubClient) async throws(HubError) -> Answer
    ) async throws(GatewayRefusal) -> Answer {
        do throws(HubError) {
            return try await tryWithRenewedCredentials(send)
        } catch {
            throw GatewayRefusal(ofSend: error)
        }
    }

    private func tryWithRenewedCredentials<Answer: Sendable>(
        _ ask: @Sendable (NotificationHubClient) async throws(HubError) -> Answer
    ) async throws(HubError) -> Answer {
        do throws(HubError) {
            return try await ask(state.withLock { $0.client })
        } catch {
            guard error.reply?.status == 401, let renewed = renewed() else { throw error }
            return try await ask(renewed)
        }
    }

    /// Returns a client for the connection string if it has changed; otherwise `nil`.
    private func renewed() -> NotificationHubClient? {
        guard let connection = try? credentials.read() else { return nil }
        return state.withLock { state in
            guard state.connection != connection, let client = try? make(connection) else { return nil }
            state = State(connection: connection, client: client)
            return client
        }
    }
}

extension GatewayRefusal {
    /// The refusal for a request that the hub did not carry out.
    ///
    /// The hub's text is kept for the log: it is meant for the person on call, and may repeat what a client sent.
    init(_ error: HubError) {
        let pause = error.reply?.retryAfter ?? .seconds(1)
        switch (error.reply?.status, error.code) {
        case (410, _):
            self.init(410, "gone", "The ID has expired in the hub: request a new one and register with it, once.")
        case (412, _):
            self.init(409, "conflict", "Another client changed this at the same time: read it again.")
        case (409, _):
            self.init(503, "hub_busy", "The hub accepts no more changes to this for now.", retryAfter: pause)
        case (_, .invalidMessage), (_, .invalidDevice), (400, _), (413, _):
            self.init(400, "hub_refused", "The hub does not accept this: check the handle, the tags and the text.")
        case (_, .missing): self.init(409, "conflict", "It was removed at the same time: read it again.")
        case (401, _), (403, _), (404, _):
            self.init(
                502,
                "hub_refuses_server",
                "The hub refuses this server: its log has the reason, for the operator. Trying again does not help."
            )
        default: self = .unavailable("hub_unavailable", "The hub is not available now: try again.", after: pause)
        }
        detail = error.description
    }

    /// The refusal for a message that the hub did not confirm.
    init(ofSend error: HubError) {
        // These statuses mean that the hub itself did nothing.
        let isRefused = error.reply?.status == 500 || error.reply?.status == 503
        guard error.mayHaveBeenAccepted, !isRefused else {
            self.init(error)
            return
        }
        self.init(
            504,
            "send_uncertain",
            "The hub did not confirm the message: it may have been sent, and sending it again may show it twice."
        )
        detail = error.description
    }
}
