import FoundationEssentials
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

/// A process that runs `newsflash run`.
struct WorkerProcess: Sendable {
    /// The settings of a worker; `nil` keeps the program's default.
    struct Settings: Sendable {
        /// The name in the group that stays the same over restarts.
        var instance: String?
        /// The session timeout of the group.
        var session: Duration?
        /// The maximum time of a stop.
        var drain: Duration?
        /// The maximum number of requests in flight.
        var concurrency: Int?
        /// The log level.
        var level = "notice"
        var hostNames: HostNames?
        /// Whether it serves its metrics and its status.
        var hasAdmin = false
    }

    /// A host name that only the workers can resolve.
    struct HostNames: Sendable {
        /// The file that replaces `/etc/hosts`.
        var file: String
        /// The host name of a hub, which replaces its address.
        var hub: String
        /// The label of that hub.
        var label: String
    }

    /// Its name in its sends.
    let name: String
    let program: LeashedProgram
    /// The folder with its configuration, which exists as long as it runs.
    private let folder: TemporaryFolder

    /// Starts a worker; it has not joined its group yet.
    ///
    /// - Parameters:
    ///   - name: Its name in its sends.
    ///   - newsroom: The newsroom whose topics and hubs it uses.
    ///   - folder: The folder for its configuration and its secrets.
    ///   - settings: Its settings.
    /// - Throws: `ChildProcess.Failure` if it cannot be started.
    init(_ name: String, in newsroom: Newsroom, folder: TemporaryFolder, _ settings: Settings) async throws {
        let hubs = try newsroom.hubs.map { hub in
            var text = hub.connectionString
            if let names = settings.hostNames, names.label == hub.label {
                text = text.replacing("127.0.0.1", with: names.hub)
            }
            let secret = try folder.write(text, to: hub.label)
            return "\(hub.label): { name: newsroom, connectionStringFile: \(secret) }"
        }
        var kafka = ["bootstrapServers: \"\(newsroom.client.bootstrapServers)\"", "group: \(newsroom.group)"]
        kafka.append("clientId: \(name)")
        if let session = settings.session { kafka.append("sessionTimeout: \(session.components.seconds)s") }
        if let instance = settings.instance { kafka.append("instance: \(instance)") }
        if !newsroom.readingProperties.isEmpty {
            let properties = newsroom.readingProperties.map { "\($0.key): \"\($0.value)\"" }
            kafka.append("properties: { \(properties.joined(separator: ", ")) }")
        }
        let topics = [
            "outcomes: \(newsroom.outcomes)", "deadLetters: \(newsroom.deadLetters)", "ledger: \(newsroom.ledger)",
        ]
        var delivery: [String] = []
        if let concurrency = settings.concurrency { delivery.append("concurrency: \(concurrency)") }
        if let drain = settings.drain { delivery.append("drain: \(drain.components.seconds)s") }
        let configuration = try folder.write(
            """
            version: 1
            kafka: { \(kafka.joined(separator: ", ")) }
            sources: { desk: { topic: \(newsroom.source) } }
            hubs: { \(hubs.joined(separator: ", ")) }
            locales: { offered: [en], default: en }
            send:
              tags: "{category}"
              properties: { worker: "\(name)" }
            categories: { World: [world] }
            # Revisions of the plan lift an embargo by leaving it out.
            policy: { embargoDropped: send }
            delivery: { \(delivery.joined(separator: ", ")) }
            topics: { \(topics.joined(separator: ", ")) }
            admin: { listen: "\(settings.hasAdmin ? "127.0.0.1:0" : "off")" }
            log: { level: \(settings.hasAdmin ? "info" : settings.level) }

            """,
            to: "\(name).yaml"
        )
        self.name = name
        self.folder = folder
        var words = [try WorkerProgram.path(), "run", "--config", configuration]
        if let names = settings.hostNames {
            let script = "mount --bind \"$0\" /etc/hosts && exec \"$@\""
            words = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, names.file] + words
        }
        program = try await LeashedProgram(words, environment: WorkerProgram.environment)
    }

    /// Waits for a number of assignments of partitions, and returns the partitions of the last one.
    func assignment(_ number: Int, of newsroom: Newsroom) async throws -> [TopicPartition] {
        let line = try await program.lines.wait { lines in
            lines.lazy.filter { $0.contains("partitions were assigned") }.dropFirst(number - 1).first
        }
        return newsroom.sourcePartitions.filter { line.contains($0.description) }
    }

    /// Reads a page that it serves.
    ///
    /// - Parameter path: A path such as `/status`.
    /// - Returns: Its content.
    /// - Throws: `RawClientError` if nobody listens.
    func page(_ path: String) async throws -> String {
        let address = "127.0.0.1:"
        let line = try await program.lines.wait { $0.first { $0.contains("health and metrics are served") } }
        let rest = line.split(separator: address, maxSplits: 1).last ?? ""
        let client = try RawClient(port: UInt16(rest.prefix { $0.isNumber }) ?? 0)
        client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let response = await client.receiveToEnd()
        return response.split(separator: "\r\n\r\n", maxSplits: 1).last.map { String($0) } ?? ""
    }

    /// A measure of its memory, in kilobytes, while it runs.
    ///
    /// - Parameter name: `VmHWM` for the maximum so far, or `VmRSS` for the current size.
    /// - Returns: `nil` if the system does not provide it.
    func memory(_ name: String) -> Int? {
        guard let first = program.lines.events.first, first.hasPrefix("pid "),
            let status = FileManager.default.contents(atPath: "/proc/\(first.dropFirst(4))/status")
        else { return nil }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
    }

    /// The sanitizer reports of it so far.
    var sanitizerReports: [String] { Sanitizer.reports(in: program.lines.events) }

    /// Writes its whole log into a folder.
    func keepLog(in folder: String) throws {
        let text = Data(program.lines.events.joined(separator: "\n").utf8)
        try text.write(to: URL(filePath: "\(folder)/\(name).log"))
    }

    /// The times at which its group revoked its partitions while it ran, from its log.
    var losses: [Disturbance] {
        program.lines.events.filter { $0.contains("partitions were lost") }.compactMap { line in
            let time = line.split(separator: " ").first.flatMap { Timestamp(rfc3339: String($0)) }
            return time.map { Disturbance(kind: .lost, worker: name, time: $0) }
        }
    }

    /// Its log lines about partitions and commits, for the text of a failure.
    var saidOfPartitions: String {
        program.lines.events
            .filter {
                $0.contains("partition") || $0.contains(" line ") || $0.contains("offsets") || $0.contains("SESSTMOUT")
            }
            .filter { !$0.contains("an event ended") }
            .suffix(60)
            .map { "\(name): \($0)" }
            .joined(separator: "\n")
    }
}
