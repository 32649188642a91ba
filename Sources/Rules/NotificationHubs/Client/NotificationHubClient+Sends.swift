import HTTPTransport
public import Timestamps

// Messages.
extension NotificationHubClient {
    /// Sends a message and waits for the hub to take it. Needs the claim Send.
    ///
    /// - Parameters:
    ///   - message: What is to be pushed.
    ///   - audience: Whom it is for.
    /// - Returns: The names under which the hub knows the message.
    /// - Throws: ``HubError``; where ``HubError/mayHaveBeenAccepted`` is true, sending again may push twice.
    @discardableResult
    public func send(_ message: HubMessage, to audience: HubAudience) async throws(HubError) -> HubAcceptance {
        let answer = try await perform(.send) { () throws(HubError) in
            try client.request(for: message, to: audience)
        }
        return HubAcceptance(answer.reply)
    }

    /// Sends a message to at most ten of its devices, picked by the hub, and tells what became of it on each. Needs the
    /// claim Send. The service takes ten such sends a minute.
    ///
    /// - Parameters:
    ///   - message: What is to be pushed.
    ///   - audience: ``HubAudience/broadcast`` or ``HubAudience/tags(_:)``; the hub tests no direct sends.
    /// - Returns: What became of it.
    /// - Throws: ``HubError``.
    public func test(_ message: HubMessage, to audience: HubAudience) async throws(HubError) -> TestSendOutcome {
        try Self.checkIsForTags(audience, .testSend)
        let answer = try await perform(.testSend) { () throws(HubError) in
            var request = try client.request(for: message, to: audience)
            request.url += "&test"
            return request
        }
        do throws(HubDocumentError) {
            return try TestSendOutcome(document: answer.response.body, acceptance: HubAcceptance(answer.reply))
        } catch {
            throw HubError(unreadable: .testSend, error.message, answer, at: hubURL)
        }
    }

    /// Leaves a message with the hub until its time. Needs the claim Send and the standard tier.
    ///
    /// - Parameters:
    ///   - message: What is to be pushed.
    ///   - audience: ``HubAudience/broadcast`` or ``HubAudience/tags(_:)``; the hub keeps no direct sends.
    ///   - time: At most seven days ahead; the hub knows whole seconds, so a fraction counts as the next one.
    /// - Returns: The name by which the message can be cancelled.
    /// - Throws: ``HubError``; where ``HubError/mayHaveBeenAccepted`` is true, scheduling again may push twice.
    public func schedule(
        _ message: HubMessage,
        to audience: HubAudience,
        at time: Timestamp
    ) async throws(HubError) -> ScheduledNotification {
        try Self.checkIsForTags(audience, .scheduleSend)
        let due = Timestamp(seconds: time.seconds) == time ? time : Timestamp(seconds: time.seconds) + .seconds(1)
        let answer = try await perform(.scheduleSend) { () throws(HubError) in
            var request = try client.request(for: message, to: audience)
            request.url = "\(hubURL)/schedulednotifications?api-version=\(client.configuration.apiVersion)"
            request.headers.append("ServiceBusNotification-ScheduleTime", String(due.rfc3339.prefix(19)))
            return request
        }
        guard let id = answer.reply.notificationID else {
            throw HubError(unreadable: .scheduleSend, "it names no message", answer, at: hubURL)
        }
        return ScheduledNotification(id: id, time: due, trackingID: answer.reply.trackingID)
    }

    /// Takes a scheduled message back. Needs the claim Send and the standard tier.
    ///
    /// - Parameter id: ``ScheduledNotification/id``.
    /// - Throws: ``HubError``; with ``HubError/Code/missing`` where no such message waits: it may have been sent.
    public func cancelScheduled(_ id: String) async throws(HubError) {
        let path = "schedulednotifications/" + (try HubClient.segment(id, for: .cancelScheduledSend))
        _ = try await perform(.cancelScheduledSend) { () throws(HubError) in client.request(.delete, path) }
    }

    /// Tells what became of a message. Needs the claim Send and the standard tier.
    ///
    /// The service needs some seconds before it knows a message, and up to half an hour until it has counted all devices.
    ///
    /// - Parameter notificationID: ``HubAcceptance/notificationID`` or ``ScheduledNotification/id``.
    /// - Returns: Nothing while the hub does not know the message.
    /// - Throws: ``HubError``.
    public func telemetry(of notificationID: String) async throws(HubError) -> NotificationTelemetry? {
        let path = "messages/" + (try HubClient.segment(notificationID, for: .telemetry))
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(.telemetry) { () throws(HubError) in client.request(.get, path) }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
        do throws(HubDocumentError) {
            return try NotificationTelemetry(document: answer.response.body)
        } catch {
            throw HubError(unreadable: .telemetry, error.message, answer, at: hubURL)
        }
    }

    private static func checkIsForTags(
        _ audience: HubAudience,
        _ operation: HubClientOperation
    ) throws(HubError) {
        switch audience {
        case .broadcast, .tags: return
        case .device, .devices:
            throw HubError(
                .invalidMessage,
                "\(operation.phrase) was not tried: it goes to tags or to everyone, not to device handles",
                operation: operation
            )
        }
    }
}

/// A message that the hub keeps until its time.
public struct ScheduledNotification: Sendable, Equatable {
    /// Names it for ``NotificationHubClient/cancelScheduled(_:)`` and ``NotificationHubClient/telemetry(of:)``.
    public let id: String
    /// When it is sent: a whole second.
    public let time: Timestamp
    /// The service's own name for the request; support asks for it.
    public let trackingID: String?
}
