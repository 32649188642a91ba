import NewsflashHTTPTransport
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs

/// Parses everything in a request that needs no state, so that the lock is not held meanwhile.
struct HubWorkReader {
    let tier: HubTier
    let retiredPlatforms: RetiredPlatformPolicy
    let now: Timestamp

    /// Parses a request.
    ///
    /// - Throws: The refusal if the request is invalid, regardless of its token.
    func read(
        _ request: EmulatedRequest,
        route: Route,
        target: RequestTarget,
        apiVersion: String
    ) throws(HubFailure) -> HubWork {
        switch route {
        case .operation(let operation):
            let work = try read(request, operation: operation, target: target, apiVersion: apiVersion)
            try work.checkPlatforms(retiredPlatforms)
            return work
        case .wrongMethod(let allowed): throw .wrongMethod(allow: allowed)
        case .inspection, .console, .unknown: throw .noService
        }
    }

    private func read(
        _ request: EmulatedRequest,
        operation: HubOperation,
        target: RequestTarget,
        apiVersion: String
    ) throws(HubFailure) -> HubWork {
        try check(apiVersion, knows: operation)
        switch operation {
        case .send(let kind, let isTest):
            return .send(try SendReader.read(request, kind: kind, isTest: isTest, tier: tier))
        case .scheduleSend:
            try needStandard()
            let send = try SendReader.read(request, kind: .tags, isTest: false, tier: tier)
            let due = try ScheduleTime.read(request.headers["ServiceBusNotification-ScheduleTime"], now: now)
            return .schedule(send, at: due)
        case .cancelScheduledSend(let id):
            try needStandard()
            // An id without a sequence number does not exist, like any other unknown id.
            return .cancelScheduledSend(sequence: NotificationID.sequence(of: id) ?? 0, id: id)
        case .telemetry(let id):
            try needStandard()
            return .telemetry(sequence: try sequence(of: id), id: id)
        case .createRegistrationID: return .registration(.createID)
        case .createRegistration: return .registration(.create(try registration(request)))
        case .listRegistrations: return .registration(.list(try RegistrationList(target)))
        case .listTagged(let tag): return .registration(.list(try RegistrationList(target, tag: tag)))
        case .registration(let id): return .registration(try registrationWork(request, id: id))
        case .installation(let id): return .installation(try installationWork(request, id: id))
        case .feedbackContainer:
            try needStandard()
            return .feedbackContainer
        case .hub: return .management(try managementWork(request))
        case .listHubs: return .management(.list)
        case .jobs, .job:
            try needStandard()
            return .management(.jobs)
        }
    }

    /// Checks the version, because some operations were added later
    /// (https://learn.microsoft.com/rest/api/notificationhubs/direct-batch-send and related pages).
    private func check(_ apiVersion: String, knows operation: HubOperation) throws(HubFailure) {
        let first: String? =
            switch operation {
            case .send(.direct, _): "2015-04"
            case .send(.batch, _): "2015-08"
            case .telemetry: "2016-07"
            default: nil
            }
        guard let first, apiVersion < first else { return }
        throw HubFailure(400, "This operation needs api-version \(first) or later.")
    }

    private func registrationWork(_ request: EmulatedRequest, id: String) throws(HubFailure) -> RegistrationWork {
        let name = RegistrationName(id)
        var condition: ETagCondition?
        if let text = request.headers["If-Match"] { condition = try ETagCondition(text) }
        switch request.method {
        case "PUT": return .put(name, try registration(request), condition: condition)
        case "DELETE": return .delete(name, condition: condition)
        default: return .get(name)
        }
    }

    private func installationWork(_ request: EmulatedRequest, id: String) throws(HubFailure) -> InstallationWork {
        switch request.method {
        case "PUT":
            return .put(
                try HubFailure.wording { try PreparedInstallation(try InstallationJSON.read(request.body, id: id)) }
            )
        case "PATCH": return .patch(id, try HubFailure.wording { try InstallationPatch(reading: request.body) })
        case "DELETE": return .delete(id)
        default: return .get(id)
        }
    }

    private func registration(_ request: EmulatedRequest) throws(HubFailure) -> PreparedRegistration {
        try HubFailure.wording { try PreparedRegistration(try RegistrationXML.read(request.body)) }
    }

    private func managementWork(_ request: EmulatedRequest) throws(HubFailure) -> ManagementWork {
        switch request.method {
        case "PUT":
            return .put(isUpdate: request.headers["If-Match"] != nil, try settings(request.body))
        case "DELETE": return .delete
        default: return .describe
        }
    }

    /// Parses the settings of a hub that the emulator keeps.
    private func settings(_ body: [UInt8]) throws(HubFailure) -> HubSettings {
        guard !body.isEmpty else { return HubSettings() }
        guard let entry = try? XMLReader.read(body) else {
            throw HubFailure(400, "The description of the hub is not XML.")
        }
        let description = entry.first("content")?.first("NotificationHubDescription") ?? entry
        var settings = HubSettings()
        if let text = description.first("RegistrationTtl")?.text, !text.isEmpty {
            settings.timeToLive = try RegistrationTimeToLive(text)
        }
        let credentials = description.elements.filter { $0.name.hasSuffix("Credential") && $0.hasOnlyKnownPrefixes }
        if !credentials.isEmpty {
            var writer = XMLWriter()
            for credential in credentials { writer.element(credential) }
            settings.credentials = String(decoding: writer.bytes, as: UTF8.self)
        }
        return settings
    }

    /// Refuses telemetry, schedules, feedback and jobs outside the standard tier.
    private func needStandard() throws(HubFailure) {
        guard tier == .standard else { throw .notInTier }
    }

    private func sequence(of id: String) throws(HubFailure) -> Int64 {
        guard let sequence = NotificationID.sequence(of: id) else {
            throw HubFailure(400, "The notification id is malformed.")
        }
        return sequence
    }
}

extension XMLElement {
    /// Whether it can be part of the hub's description, which declares no prefix except `i`.
    fileprivate var hasOnlyKnownPrefixes: Bool {
        ([name] + attributes.map(\.name)).allSatisfy { !$0.contains(":") || $0.hasPrefix("i:") }
            && elements.allSatisfy(\.hasOnlyKnownPrefixes)
    }
}

extension HubFailure {
    /// Converts errors of the device and template parsers to the service's form.
    static func wording<Result>(_ read: () throws -> Result) throws(HubFailure) -> Result {
        do {
            return try read()
        } catch let error as HubValueError {
            throw HubFailure(
                400,
                error.message,
                reason: error.path.isEmpty ? nil : "\(error.message) (in \(error.path))"
            )
        } catch let error as TemplateError {
            throw HubFailure(400, "\(error.message) (\(error.path))")
        } catch {
            throw HubFailure(400, "The request is not valid.")
        }
    }
}

/// The time in `ServiceBusNotification-ScheduleTime`.
enum ScheduleTime {
    /// The longest time ahead that a send may be scheduled.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-send-push-notifications-scheduled
    static let furthest = Duration.seconds(7 * 86_400)

    /// Parses `2026-01-31T12:00:00` in UTC, optionally with a zone, and with quotes around the `T` as in the Python sample.
    ///
    /// - Parameters:
    ///   - text: The value of the header.
    ///   - now: The current time. A time in the past is accepted and is due at once.
    /// - Returns: The time.
    /// - Throws: 400 if the text is not a time, or is too far ahead.
    static func read(_ text: String?, now: Timestamp) throws(HubFailure) -> Timestamp {
        guard let text else { throw HubFailure(400, "The header ServiceBusNotification-ScheduleTime is missing.") }
        let plain = text.filter { $0 != "'" }
        guard let due = Timestamp(rfc3339: plain) ?? Timestamp(rfc3339: plain + "Z") else {
            throw HubFailure(
                400,
                "The value of the header ServiceBusNotification-ScheduleTime must be a time such as 2026-01-31T12:00:00."
            )
        }
        guard due <= now + furthest else {
            throw HubFailure(400, "A notification can be scheduled at most 7 days ahead.")
        }
        return due
    }
}
