import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// Sends and requests about them.
extension EmulatedHub {
    /// Accepts a send. Its targets are found later, except for test sends and direct sends.
    mutating func accept(
        _ send: ReadSend,
        call: HubCall,
        hub: HubKey,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        if send.isTest { try countTestSend(now: now) }
        var record = record(of: send, call: call, hub: hub, names: names, now: now)
        record.notificationID = NotificationID.make(sequence: record.sequence, now: now, using: &generator)
        var fanOut = FanOut(message(of: record, properties: send.properties), hub: hub.text, enqueued: now)
        var tested: [FanOut.Target] = []
        if send.kind != .tags {
            deliver(to: send.handles, of: &record, hub: hub, now: now)
        } else if send.isTest {
            tested = deliverTest(&fanOut, of: &record, hub: hub, now: now)
        } else if hubs[hub.text]?.registry.registrationCount == 0 {
            record.progress.end(now: now)
        } else {
            queue.append(fanOut)
        }
        record.acceptance = call.received.duration(to: .now)
        log.append(record)
        notices.sends.insert(record.sequence)
        count(accepted: 1)
        var headers = names.headers
        if tier == .standard { headers.append("Location", location(of: record, call: call)) }
        guard send.isTest, send.kind == .tags else { return HTTPResponse(status: 201, headers: headers) }
        headers.append("Content-Type", "application/xml; charset=utf-8")
        return HTTPResponse(status: 201, headers: headers, body: TestSendDocument(targets: tested).xml)
    }

    /// Accepts a scheduled send.
    mutating func schedule(
        _ send: ReadSend,
        at due: Timestamp,
        call: HubCall,
        hub: HubKey,
        names: RequestNames,
        now: Timestamp
    ) -> HTTPResponse {
        var record = record(of: send, call: call, hub: hub, names: names, now: now)
        record.notificationID = NotificationID.makeScheduled(sequence: record.sequence, now: now, using: &generator)
        record.progress.state = .scheduled
        record.progress.scheduledFor = due
        record.acceptance = call.received.duration(to: .now)
        schedule(record, properties: send.properties, hub: hub)
        changes.append(.putSend(record))
        notices.sends.insert(record.sequence)
        count(accepted: 1)
        var headers = names.headers
        headers.append("Location", call.location("schedulednotifications/\(record.notificationID)"))
        headers.append("Content-Type", "application/xml; charset=utf-8")
        return HTTPResponse(status: 201, headers: headers)
    }

    /// Cancels a scheduled send.
    mutating func cancel(
        sequence: Int64,
        id: String,
        hub: HubKey,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        // The log may no longer contain it.
        guard queue.cancel(sequence: sequence, id: id, hub: hub.text) else { throw .notFound }
        log.update(sequence) { $0.progress.cancel(now: now) }
        notices.sends.insert(sequence)
        changes.append(.removeSend(notificationID: id))
        return HTTPResponse(status: 200, headers: names.headers)
    }

    /// Schedules an accepted send, also one of an earlier run.
    mutating func schedule(_ record: SendRecord, properties: [NamedValue], hub: HubKey) {
        guard let due = record.progress.scheduledFor else { return }
        let fanOut = FanOut(message(of: record, properties: properties), hub: hub.text, enqueued: due)
        queue.schedule(fanOut, id: record.notificationID, at: due)
        log.append(record)
    }

    /// Returns the telemetry of a notification.
    func telemetry(sequence: Int64, id: String, call: HubCall, names: RequestNames) throws(HubFailure) -> HTTPResponse {
        guard let record = log[sequence], record.notificationID == id, HubKey(record.hub) == HubKey(call.hubName) else {
            throw .notFound
        }
        let document = TelemetryDocument(
            record: record,
            host: call.host,
            hubName: call.hubName,
            apiVersion: call.apiVersion,
            errors: FeedbackURL(call: call, signature: feedbackSignature).errors(of: id)
        )
        var headers = names.headers
        headers.append("Content-Type", "application/xml; charset=utf-8")
        return HTTPResponse(status: 200, headers: headers, body: document.xml)
    }

    /// Returns the URL of the feedback container, which lists the handles that a push service rejected.
    func feedbackContainer(call: HubCall, names: RequestNames) -> HTTPResponse {
        var headers = names.headers
        headers.append("Content-Type", "application/xml; charset=utf-8")
        let url = FeedbackURL(call: call, signature: feedbackSignature).container
        return HTTPResponse(status: 200, headers: headers, body: Array(url.utf8))
    }

    private mutating func record(
        of send: ReadSend,
        call: HubCall,
        hub: HubKey,
        names: RequestNames,
        now: Timestamp
    ) -> SendRecord {
        SendRecord(
            sequence: log.nextSequence(),
            time: now,
            hub: hubs[hub.text]?.name ?? call.hubName,
            kind: send.kind,
            isTest: send.isTest,
            format: send.format,
            expression: send.expression,
            handles: send.handles,
            headers: send.headers,
            body: send.body,
            clientTrackingID: call.request.headers["TrackingId"],
            trackingID: names.trackingID,
            notificationID: ""
        )
    }

    private func message(of record: SendRecord, properties: [NamedValue]) -> FanOut.Message {
        FanOut.Message(
            sequence: record.sequence,
            id: record.notificationID,
            format: record.format,
            expression: record.expression,
            headers: record.headers,
            body: record.body,
            properties: properties
        )
    }

    /// The location of a send, as recorded: for a direct send it ends with the flag. For a batch it was recorded with and
    /// without `$batch` in the path; the JavaScript SDK finds the id only in the third segment.
    private func location(of record: SendRecord, call: HubCall) -> String {
        switch record.kind {
        case .tags: call.location("messages/\(record.notificationID)")
        case .direct, .batch: call.location("messages/\(record.notificationID)") + "&direct"
        }
    }

    private mutating func countTestSend(now: Timestamp) throws(HubFailure) {
        guard testSends.acquire(now: now) else {
            throw HubFailure(
                429,
                "There are at most \(testSends.perMinute ?? 0) test sends a minute.",
                retryAfter: "60",
                reason: "set another limit with --test-sends"
            )
        }
    }

    private mutating func deliverTest(
        _ fanOut: inout FanOut,
        of record: inout SendRecord,
        hub: HubKey,
        now: Timestamp
    ) -> [FanOut.Target] {
        guard let registry = hubs[hub.text]?.registry else { return [] }
        var slots = fanOut.matchingSlots(in: registry, now: now)
        var targets: [FanOut.Target] = []
        while !slots.isEmpty, targets.count < TestSendDocument.maximumDevices {
            let picked = slots.remove(at: Int.random(in: slots.indices, using: &generator))
            guard let device = registry[picked] else { continue }
            var target = fanOut.target(for: device, registry: registry, now: now)
            applyFaults(to: &target)
            targets.append(target)
        }
        dropDeadChannels(of: targets, hub: hub.text)
        record.progress.begin(now: now)
        for target in targets { add(target, to: &record.progress) }
        record.progress.end(now: now)
        return targets
    }

    private mutating func deliver(to handles: [String], of record: inout SendRecord, hub: HubKey, now: Timestamp) {
        guard let platform = record.format.platform else { return }
        let notification = PlatformNotification(
            headers: DeliveryHeaders.joined(sent: record.headers, platform: platform)
                + Self.keys(in: record.headers, of: platform),
            body: record.body,
            platform: platform
        )
        let outcome = FanOut.outcome(of: notification, for: platform, now: now)
        record.progress.begin(now: now)
        var seen: Set<String> = []
        var targets: [FanOut.Target] = []
        for handle in handles {
            let registry = hubs[hub.text]?.registry
            let key = platform == .apns ? handle.uppercased() : handle
            let owner = registry?.slots(ofHandle: key).lazy.compactMap { slot in
                registry?[slot].flatMap { registry?.installationID(of: $0) }
            }.first
            let channel = PushChannel(platform, handle: key)
            let isDead = registry?.firebase.isReplaced(channel) ?? false
            let delivery = Delivery(
                send: record.sequence,
                notificationID: record.notificationID,
                hub: hub.text,
                time: now,
                isDirect: true,
                installationID: owner,
                platform: platform,
                handle: key,
                outcome: seen.insert(key).inserted ? outcome.unless(isDead) : .skipped,
                deviceWarning: registry?.firebase.warning(about: channel),
                notification: notification
            )
            var target = FanOut.Target(delivery: delivery, isTemplate: false)
            applyFaults(to: &target)
            add(target, to: &record.progress)
            targets.append(target)
        }
        record.progress.end(now: now)
        dropDeadChannels(of: targets, hub: hub.text)
    }

    /// The keys with which a notification to a browser is encrypted (RFC 8291): headers of the send.
    private static func keys(in headers: HTTPHeaders, of platform: PushPlatform) -> [NamedValue] {
        guard platform == .browser else { return [] }
        return ["p256dh", "auth"].compactMap { name in headers[name].map { NamedValue(name, $0) } }
    }

    private mutating func add(_ target: FanOut.Target, to progress: inout SendProgress) {
        deliveries.append(target.delivery)
        notices.deliveries = true
        progress.count(
            target.delivery.outcome,
            SendProgress.TargetKind(platform: target.delivery.platform, isTemplate: target.isTemplate)
        )
    }
}
