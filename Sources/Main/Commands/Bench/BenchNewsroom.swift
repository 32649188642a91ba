import FoundationEssentials

/// The configuration and the topics of one worker.
struct BenchNewsroom: Sendable {
    /// Random, so that nothing of another lap, or of others on the same brokers, is met.
    let name = "newsflash-bench-\(UInt64.random(in: .min ... .max))"
    let settings: BenchSettings
    /// Where Kafka is.
    let brokers: String
    /// Where the sink is.
    let sink: String

    var source: String { name }

    /// All topics; the ledger last.
    var topics: [NeededTopic] {
        [
            NeededTopic(role: .source, name: source), NeededTopic(role: .outcomes, name: "\(name)-outcomes"),
            NeededTopic(role: .deadLetters, name: "\(name)-dead-letters"),
            NeededTopic(role: .ledger, name: "\(name)-ledger", source: source),
        ]
    }

    /// Writes the configuration and the key.
    ///
    /// - Parameter folder: For both.
    /// - Returns: The configuration's file.
    /// - Throws: ``CommandError`` where the folder cannot be written to.
    func write(to folder: String) throws(CommandError) -> String {
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
            guard written else { throw CommandError(.unavailable, "\(path) cannot be written") }
        }
        return file
    }

    /// Default settings, but for what names things, the requests under way and the port that stays closed.
    private func configuration(secret: String) -> String {
        // The embedded cluster sleeps through an empty fetch.
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
