import NewsflashHTTPTransport
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs

/// The feedback of a hub as in Azure's blob storage: a container with a blob for each day, and a blob of each notification
/// for `PnsErrorDetailsUri`.
///
/// A blob has a line for each delivery that failed: an XML document. Sources: the listing and the records of
/// https://learn.microsoft.com/rest/api/notificationhubs/get-pns-feedback, the lines as read by `ParseFeedbackSample` of
/// https://github.com/Azure/azure-notificationhubs-dotnet.
struct FeedbackContainer {
    /// The deliveries of the hub that failed, the oldest first.
    let failures: [Delivery]
    /// The hub's name as the client spelled it.
    let hub: String
    /// The scheme and host of the emulator.
    let endpoint: String

    /// The listing of the container: `List Blobs` of the blob storage.
    var listing: HTTPResponse {
        var writer = XMLWriter()
        writer.begin("EnumerationResults", ("ServiceEndpoint", endpoint + "/"), ("ContainerName", hub))
        writer.begin("Blobs")
        for (day, records) in days {
            let content = Self.content(records)
            writer.begin("Blob")
            writer.element("Name", day)
            writer.begin("Properties")
            writer.element("Last-Modified", records.last?.time.httpDate ?? "")
            writer.element("Etag", "0x\(String(content.count, radix: 16, uppercase: true))")
            writer.element("Content-Length", String(content.count))
            writer.element("Content-Type", Self.contentType)
            writer.element("BlobType", "BlockBlob")
            writer.element("LeaseStatus", "unlocked")
            writer.element("LeaseState", "available")
            writer.end("Properties")
            writer.end("Blob")
        }
        writer.end("Blobs")
        writer.empty("NextMarker")
        writer.end("EnumerationResults")
        let head = #"<?xml version="1.0" encoding="utf-8"?>"#
        return HTTPResponse(
            status: 200,
            headers: [.init("Content-Type", "application/xml")],
            body: Array(head.utf8) + writer.bytes
        )
    }

    /// A blob: of a day, or of a notification.
    ///
    /// - Parameter name: The day as `MMddyyyy`, or the id of a notification, in lower case.
    /// - Returns: `nil` if it is unknown.
    func blob(_ name: String) -> HTTPResponse? {
        let ofDay = days.first { $0.day == name }?.records
        let records = ofDay ?? failures.filter { $0.notificationID.lowercased() == name }
        guard !records.isEmpty else { return nil }
        return HTTPResponse(
            status: 200,
            headers: [.init("Content-Type", Self.contentType), .init("x-ms-blob-type", "BlockBlob")],
            body: Self.content(records)
        )
    }

    private static let contentType = "application/octet-stream"

    /// The failures that a container has, by day. Other failures, such as a payload that is too large, are not about handles.
    private var days: [(day: String, records: [Delivery])] {
        var days: [(day: String, records: [Delivery])] = []
        for failure in failures where failure.outcome.isOfDeadChannel {
            let date = failure.time.rfc3339
            let day = "\(date.dropFirst(5).prefix(2))\(date.dropFirst(8).prefix(2))\(date.prefix(4))"
            if days.last?.day != day { days.append((day, [])) }
            days[days.count - 1].records.append(failure)
        }
        return days
    }

    private static func content(_ records: [Delivery]) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            var writer = XMLWriter()
            writer.begin(
                "PnsFeedback",
                ("xmlns:i", RegistrationXML.instanceNamespace),
                ("xmlns", RegistrationXML.serviceNamespace)
            )
            writer.element("FeedbackTime", record.time.dateInTicks)
            writer.element("NotificationSystemError", record.outcome.rawValue)
            writer.element("Platform", record.platform.format?.rawValue ?? record.platform.rawValue)
            writer.element("PnsHandle", record.handle)
            if let id = record.registrationID { writer.element("RegistrationId", id) }
            if let id = record.installationID { writer.element("InstallationId", id) }
            writer.element("NotificationId", record.notificationID)
            writer.end("PnsFeedback")
            // The service's documents name UTF-16, but the blob is UTF-8.
            bytes += Array(#"<?xml version="1.0" encoding="utf-16"?>"#.utf8) + writer.bytes + Array("\n".utf8)
        }
        return bytes
    }
}

/// The URLs of feedback in responses of the hub.
struct FeedbackURL {
    let call: HubCall
    /// The signature, as of a blob storage; `nil` if none is needed.
    let signature: String?

    /// The URL of the container.
    var container: String { url("", resource: "c", permissions: "rl") }

    /// The URL of the failures of a notification.
    func errors(of notificationID: String) -> String { url("/\(notificationID)", resource: "b", permissions: "r") }

    private func url(_ blob: String, resource: String, permissions: String) -> String {
        let scheme = call.request.isSecure ? "https" : "http"
        return "\(scheme)://\(call.host)/_emulator/feedback/\(call.hubName)\(blob)?sv=2015-07-08&sr=\(resource)"
            + "&sp=\(permissions)" + (signature.map { "&sig=\($0)" } ?? "")
    }
}
