import NewsflashHTTPTransport
import NewsflashStrictXML
public import NewsflashTimestamps
public import NotificationHubsCore

/// A job that imports or exports registrations in bulk, over a storage container. Only on the standard tier.
///
/// ```swift
/// var job = try await hub.submitJob(.export(to: containerURL))
/// while !job.isFinal {
///     try await Task.sleep(for: .seconds(10))
///     guard let current = try await hub.job(job.id) else { break }
///     job = current
/// }
/// ```
///
/// The service does not report the end of a job, so programs ask for it.
///
/// The emulator has no storage: it responds with 501.
public struct NotificationJob: Sendable, Equatable {
    /// The hub's ID of the job; empty before it is submitted.
    public let id: String
    /// `ExportRegistrations`, `ImportCreateRegistrations`, `ImportUpdateRegistrations`, `ImportUpsertRegistrations` or
    /// `ImportDeleteRegistrations`.
    public let type: String
    /// `Started`, `Running`, `Completed` or `Failed`; `nil` before it is submitted.
    public let status: String?
    /// The progress in percent.
    public let progress: Double?
    /// The cause of a failure.
    public let failure: String?
    /// The URL of the container for results. It contains a signature: do not log it.
    public let outputContainerURL: String
    /// The URL of the file to import, with a registration in XML on each line. It contains a signature: do not log it.
    public let importFileURL: String?
    /// The names of the files with results, for example `OutputFilePath` and `FailedFilePath`.
    public let results: [NamedValue]
    /// When the job was created.
    public let created: Timestamp?
    /// When the job was last updated.
    public let updated: Timestamp?

    /// Whether the job has ended.
    public var isFinal: Bool { ["Completed", "Failed"].contains(status) }

    /// A job that exports all registrations.
    ///
    /// - Parameter url: The URL of a storage container, with a signature that allows to write and list.
    /// - Returns: The job, not submitted.
    public static func export(to url: String) -> NotificationJob {
        NotificationJob(type: "ExportRegistrations", output: url, input: nil)
    }

    /// A job that imports registrations.
    ///
    /// - Parameters:
    ///   - file: The URL of the file, with a signature that allows to read.
    ///   - type: `ImportCreateRegistrations`, `ImportUpdateRegistrations`, `ImportUpsertRegistrations` or
    ///     `ImportDeleteRegistrations`.
    ///   - output: The URL of a container for the results, with a signature that allows to write and list.
    /// - Returns: The job, not submitted.
    public static func `import`(_ file: String, type: String, results output: String) -> NotificationJob {
        NotificationJob(type: type, output: output, input: file)
    }

    private init(type: String, output: String, input: String?) {
        self.type = type
        outputContainerURL = output
        importFileURL = input
        (id, status, progress, failure, created, updated, results) = ("", nil, nil, nil, nil, nil, [])
    }
}

extension NotificationJob {
    private static let element = "NotificationHubJob"

    /// Decodes an Atom entry with a job; `nil` if it is another document.
    ///
    /// The names are those of the data contract of https://github.com/Azure/azure-notificationhubs-dotnet.
    init?(entry: XMLElement) {
        guard let content = entry.first("content")?.first(Self.element), let id = content.first("JobId")?.text else {
            return nil
        }
        let job = HubDocument(content)
        self.id = id
        type = job.text("Type") ?? ""
        status = job.text("Status")
        progress = job.text("Progress").flatMap { Double(String($0.trimmed)) }
        failure = job.text("Failure")
        outputContainerURL = job.text("OutputContainerUri") ?? ""
        importFileURL = job.text("ImportFileUri")
        created = job.time("CreatedAt")
        updated = job.time("UpdatedAt")
        results = (content.first("OutputProperties")?.elements ?? []).compactMap { property in
            property.first("Key").map { NamedValue($0.text, property.first("Value")?.text ?? "") }
        }
    }

    /// The job as a request body.
    var body: [UInt8] {
        let members = [("Type", type), ("OutputContainerUri", outputContainerURL), ("ImportFileUri", importFileURL)]
        return HubEntry.body(
            Self.element,
            members.compactMap { name, text in text.map { XMLElement(name, children: [.text($0)]) } }
        )
    }
}

// Jobs and feedback. They need the claim Manage and the standard tier.
extension NotificationHubClient {
    /// Submits a job. Not retried if the hub may have started it.
    ///
    /// - Parameter job: The job.
    /// - Returns: The job with its ID.
    /// - Throws: ``HubError``.
    public func submitJob(_ job: NotificationJob) async throws(HubError) -> NotificationJob {
        let body = job.body
        let hidden = [job.outputContainerURL, job.importFileURL].compactMap(\.self)
        let answer = try await perform(.submitJob, hiding: hidden) { () throws(HubError) in
            client.request(.post, "jobs", contentType: Self.entryType, body: body)
        }
        return try read(answer, of: .submitJob)
    }

    /// Reads a job.
    ///
    /// - Parameter id: ``NotificationJob/id``.
    /// - Returns: The job, or `nil` if it does not exist.
    /// - Throws: ``HubError``.
    public func job(_ id: String) async throws(HubError) -> NotificationJob? {
        let path = "jobs/" + (try HubClient.segment(id, for: .readJob))
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(.readJob) { () throws(HubError) in client.request(.get, path) }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
        return try read(answer, of: .readJob)
    }

    /// Reads all jobs of the hub.
    ///
    /// - Returns: The jobs, in the hub's order.
    /// - Throws: ``HubError``.
    public func jobs() async throws(HubError) -> [NotificationJob] {
        let answer = try await perform(.listJobs) { () throws(HubError) in client.request(.get, "jobs") }
        let feed = try document(answer, of: .listJobs, root: "feed")
        return feed.elements.filter { $0.localName == "entry" }.compactMap { NotificationJob(entry: $0) }
    }

    /// Reads the URL of the storage container in which the hub reports the handles that push services rejected.
    ///
    /// - Returns: The URL. It contains a signature: do not log it.
    /// - Throws: ``HubError``.
    public func feedbackContainerURL() async throws(HubError) -> String {
        let answer = try await perform(.readFeedbackContainer) { () throws(HubError) in
            client.request(.get, "feedbackcontainer")
        }
        let url = String(String(decoding: answer.response.body, as: UTF8.self).trimmed)
        guard url.contains("://"), !url.contains(where: \.isWhitespace), url.first != "<" else {
            throw HubError(unreadable: .readFeedbackContainer, "it is not a URL", answer, at: hubURL)
        }
        return url
    }

    private func read(_ answer: HubAnswer, of operation: HubClientOperation) throws(HubError) -> NotificationJob {
        guard let job = NotificationJob(entry: try document(answer, of: operation, root: "entry")) else {
            throw HubError(unreadable: operation, "it contains no job", answer, at: hubURL)
        }
        return job
    }
}
