package import HTTPTransport
import Locks
package import NotificationHubs
package import Worker

/// The hub behind this server: asks it, and says in this server's words what it could not do.
package final class HubDoor: Sendable {
    private struct State {
        var connection: HubConnectionString
        var client: NotificationHubClient
    }

    private let credentials: HubCredentials
    private let make: @Sendable (HubConnectionString) throws(HubError) -> NotificationHubClient
    private let state: Locked<State>

    /// Opens the way to a hub.
    ///
    /// - Parameters:
    ///   - settings: Which hub; with credentials.
    ///   - transport: Carries the requests.
    ///   - retries: How often a request is tried while a client waits.
    /// - Throws: ``GatewayStartError`` for credentials that cannot be read.
    package init(
        _ settings: HubSettings,
        transport: any HTTPTransport,
        // A client waits meanwhile, and asks again by itself.
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
            try NotificationHubClient(connection: connection, hub: name, transport: transport, retries: retries)
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

    /// Asks the hub.
    ///
    /// Where it does not take our token the connection string is read again, and tried once where it is another.
    ///
    /// - Parameter ask: The call; to repeat it does no harm.
    /// - Returns: What the hub answers.
    /// - Throws: ``GatewayRefusal``, with what the hub said for the log.
    func ask<Answer: Sendable>(
        _ ask: @Sendable (NotificationHubClient) async throws(HubError) -> Answer
    ) async throws(GatewayRefusal) -> Answer {
        do throws(HubError) {
            return try await tryWithRenewedCredentials(ask)
        } catch {
            throw GatewayRefusal(error)
        }
    }

    /// Hands the hub a message.
    ///
    /// - Parameter send: Sends it.
    /// - Returns: The hub's answer.
    /// - Throws: ``GatewayRefusal``, which says whether the message may have been sent nevertheless.
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

    /// The client for a connection string that has changed.
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
    /// What a client is told of what the hub did not do.
    ///
    /// The hub's own words stay here: they are for the person on call, and may repeat what a client sent.
    init(_ error: HubError) {
        let pause = error.reply?.retryAfter ?? .seconds(1)
        switch (error.reply?.status, error.code) {
        case (410, _):
            self.init(410, "gone", "The hub has given this id up: ask for a new one and register with it, once.")
        case (412, _):
            self.init(409, "conflict", "Somebody else changed this at the same time: read it again.")
        case (409, _):
            self.init(503, "hub_busy", "The hub takes no more changes to this for now.", retryAfter: pause)
        case (_, .invalidMessage), (_, .invalidDevice), (400, _), (413, _):
            self.init(400, "hub_refused", "The hub does not take this: check the handle, the tags and the text.")
        case (_, .missing): self.init(409, "conflict", "It was removed at the same time: read it again.")
        case (401, _), (403, _), (404, _):
            self.init(
                502,
                "hub_refuses_server",
                "The hub refuses this server: whoever runs it finds the reason in its log. Trying again does not help."
            )
        default: self = .unavailable("hub_unavailable", "The hub cannot be asked now: try again.", after: pause)
        }
        detail = error.description
    }

    /// The answer to a client whose message the hub did not confirm.
    init(ofSend error: HubError) {
        // With these statuses the hub itself says that it has done nothing.
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
