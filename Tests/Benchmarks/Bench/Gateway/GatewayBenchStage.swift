import FoundationEssentials
import NewsflashCommands
import NewsflashOperations
import NewsflashSigning

/// The files of the measured gateway.
struct GatewayBenchStage: Sendable {
    let folder: String

    /// Several users, because the gateway limits the requests of each.
    static let users = (1...16).map { "bench-\($0)" }
    static let password = "as long as a sentence should be"
    /// A key that is only valid for the hub of this benchmark.
    static let rule = "bench=YmVuY2gtYmVuY2gtYmVuY2gtYmVuY2g=:Listen,Send,Manage"

    var usersFile: String { folder + "/users" }
    var log: String { folder + "/parts.log" }

    /// Returns the `Authorization` header of a user: Basic authentication, as in the tutorial's app.
    static func authorization(of user: String) -> String {
        "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }

    /// Writes the configuration with default settings.
    ///
    /// - Returns: The path of the file.
    /// - Throws: ``OperationError`` if the file cannot be written.
    func writeConfiguration() throws(OperationError) -> String {
        let file = folder + "/newsflash.yaml"
        let text = """
            version: 1
            # No broker listens there, because registering needs no Kafka.
            kafka: { bootstrapServers: "127.0.0.1:1", group: bench }
            hubs: { main: { name: newsroom } }
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            unknown: drop
            admin: { listen: "off" }

            """
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
            throw OperationError(.unavailable, "\(file) cannot be written")
        }
        return file
    }
}
