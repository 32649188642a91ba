import NewsflashHTTPTransport
public import NewsflashTimestamps

// Sending messages.
extension NotificationHubClient {
    /// Sends a message and waits until the hub accepts it. Needs the claim Send.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - audience: The devices to address.
    /// - Returns: The hub's IDs of the message.
    /// - Throws: ``HubError``; if ``HubError/mayHaveBeenAccepted`` is true, sending again may push twice.
    @discardableResult
    public func send(_ message: HubMessage, to audience: HubAudience) async throws(HubError) -> HubAcceptance {
        let answer = try await perform(.send) { () throws(HubError) in
            try client.request(for: message, to: audience)
        }
        return HubAcceptance(answer.reply)
    }

    /// Sends a message to at most ten devices of the audience, chosen by the hub, and returns the outcome for each. Needs the
    /// claim Send. The service accepts ten test sends a minute.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - audience: ``HubAudience/broadcast`` or ``HubAudience/tags(_:)``; the hub does not support direct test sends.
    /// - Returns: The outcome for each device.
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

    /// Schedules a message for a later time. Needs the claim Send and the standard tier.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - audience: ``HubAudience/broadcast`` or ``HubAudience/tags(_:)``; the hub does not schedule direct sends.
    ///   - time: At most seven days ahead. Rounded up to a whole second.
    /// - Returns: The hub's IDs; ``HubAcceptance/notificationID`` is needed to cancel the message, and never `nil`.
    /// - Throws: ``HubError``; if ``HubError/mayHaveBeenAccepted`` is true, scheduling again may push twice.
    public func schedule(
        _ message: HubMessage,
        to audience: HubAudience,
        at time: Timestamp
    ) async throws(HubError) -> HubAcceptance {
        try Self.checkIsForTags(audience, .scheduleSend)
        let due = Timestamp(seconds: time.seconds) == time ? time : Timestamp(seconds: time.seconds) + .seconds(1)
        let answer = try await perform(.scheduleSend) { () throws(HubError) in
            var request = try client.request(for: message, to: audience)
            request.url = "\(hubURL)/schedulednotifications?api-version=\(client.configuration.apiVersion)"
            request.headers.append("ServiceBusNotification-ScheduleTime", String(due.rfc3339.prefix(19)))
            return request
        }
        guard answer.reply.notificationID != nil else {
            throw HubError(unreadable: .scheduleSend, "it contains no message ID", answer, at: hubURL)
        }
        return HubAcceptance(answer.reply, scheduled: due)
    }

    /// Cancels a scheduled message. Needs the claim Send and the standard tier.
    ///
    /// - Parameter id: ``HubAcceptance/notificationID`` of ``schedule(_:to:at:)``.
    /// - Throws: ``HubError``; with ``HubErrorCode/missing`` if no such message is scheduled, perhaps because it was sent.
    public func cancelScheduled(_ id: String) async throws(HubError) {
        let path = "schedulednotifications/" + (try HubClient.segment(id, for: .cancelScheduledSend))
        _ = try await perform(.cancelScheduledSend) { () throws(HubError) in client.request(.delete, path) }
    }

    /// Reads the delivery counts of a message. Needs the claim Send and the standard tier.
    ///
    /// The service has no telemetry of a message for some seconds, and counts all devices within half an hour.
    ///
    /// - Parameter notificationID: ``HubAcceptance/notificationID``.
    /// - Returns: The telemetry, or `nil` if the hub has none for the message yet.
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
            return try NotificationTelemetry(document: answer.response.body, id: notificationID)
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
