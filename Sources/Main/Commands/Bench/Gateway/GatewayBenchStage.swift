import FoundationEssentials
import Signing

/// The files of a gateway that is measured.
struct GatewayBenchStage: Sendable {
    let folder: String

    /// Several, as the gateway counts the requests of each.
    static let users = (1...16).map { "bench-\($0)" }
    static let password = "as long as a sentence should be"
    /// A key for nobody but a hub that lives as long as the bench.
    static let rule = "bench=YmVuY2gtYmVuY2gtYmVuY2gtYmVuY2g=:Listen,Send,Manage"

    var usersFile: String { folder + "/users" }
    var log: String { folder + "/parts.log" }

    /// How a user signs in: with Basic authentication, as the tutorial's app does.
    static func authorization(of user: String) -> String {
        "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }

    /// Writes the configuration: default settings.
    ///
    /// - Returns: Its file.
    /// - Throws: ``CommandError`` where the folder cannot be written to.
    func writeConfiguration() throws(CommandError) -> String {
        let file = folder + "/newsflash.yaml"
        let text = """
            version: 1
            # Nobody listens there: registering needs no Kafka.
            kafka: { bootstrapServers: "127.0.0.1:1", group: bench }
            hubs: { main: { name: newsroom } }
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            unknown: drop
            admin: { listen: "off" }

            """
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
            throw CommandError(.unavailable, "\(file) cannot be written")
        }
        return file
    }
}
