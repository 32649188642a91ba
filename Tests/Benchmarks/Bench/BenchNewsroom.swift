import FoundationEssentials
import NewsflashCommands
import NewsflashOperations

/// The configuration and the topics of one worker.
struct BenchNewsroom: Sendable {
    /// Random, to avoid the topics of other laps and of other users of the same brokers.
    let name = "newsflash-bench-\(UInt64.random(in: .min ... .max))"
    let settings: BenchSettings
    /// The bootstrap servers.
    let brokers: String
    /// The URL of the sink.
    let sink: String

    var source: String { name }

    /// All topics; the ledger is last.
    var topics: [NeededTopic] {
        [
            NeededTopic(role: .source, name: source), NeededTopic(role: .outcomes, name: "\(name)-outcomes"),
            NeededTopic(role: .deadLetters, name: "\(name)-dead-letters"),
            NeededTopic(role: .ledger, name: "\(name)-ledger", source: source),
        ]
    }

    /// Writes the configuration and the file with the connection string.
    ///
    /// - Parameter folder: The folder for both files.
    /// - Returns: The path of the configuration.
    /// - Throws: ``OperationError`` if a file cannot be written.
    func write(to folder: String) throws(OperationError) -> String {
        let secret = "\(folder)/\(name).secret"
        let file = "\(folder)/\(name).yaml"
        let key =
            "Endpoint=\(sink)/;SharedAccessKeyName=send;SharedAccessKey=c2VjcmV0LXNlY3JldC1zZWNyZXQ=;"
            + "UseDevelopmentEmulator=true"
        for (path, text) in [(secret, key), (file, configuration(secret: secret))] {
            let written = FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            guard written else { throw OperationError(.unavailable, "\(path) cannot be written") }
        }
        return file
    }

    /// Default settings, except for names, requests in flight, and the disabled admin port.
    private func configuration(secret: String) -> String {
        // The embedded cluster blocks for the whole wait time of an empty fetch.
        let properties = settings.brokers == nil ? "{ fetch.wait.max.ms: 10 }" : "{}"
        return """
            version: 1
            kafka: { bootstrapServers: "\(brokers)", group: "\(name)", startAt: earliest, properties: \(properties) }
            sources: { desk: { topic: "\(source)", format: event, id: "\(BenchEvents.source)" } }
            topics: { outcomes: "\(name)-outcomes", deadLetters: "\(name)-dead-letters", ledger: "\(name)-ledger" }
            hubs: { main: { name: hub, connectionStringFile: "\(secret)" } }
            locales: { offered: [\(BenchEvents.locales.joined(separator: ", "))], default: en }
            send: { as: template, tags: "{category}" }
            categories:
              World: [world, "medtop:16000000"]
              Politics: [politics, "medtop:11000000"]
              Business: [business, "medtop:04000000"]
              Technology: [technology, "medtop:20000756"]
              Science: [science, "medtop:13000000"]
              Sports: [sports, "medtop:15000000"]
            unknown: drop
            delivery: { concurrency: \(settings.inFlight) }
            admin: { listen: "off" }

            """
    }
}
