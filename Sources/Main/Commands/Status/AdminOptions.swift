import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashHTTPServer
import NewsflashOperations
import NewsflashWorker

/// `--admin`: the admin ports of workers.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A worker's port for health and metrics (admin.listen), once for each worker; without it, the port in the "
                + "configuration, on this machine.",
            valueName: "host:port"
        )
    )
    var admin: [String] = []

    func validate() throws {
        for text in admin where ListenAddress(text).map({ $0.port == 0 }) ?? true {
            throw ValidationError("'--admin' takes host:port, such as 10.0.0.7:9464, not '\(text)'.")
        }
    }

    /// The ports to ask.
    ///
    /// Reads only `admin.listen` of the configuration. Without a configuration it is the default port of this machine.
    ///
    /// - Parameters:
    ///   - config: The configuration to read if no port is given.
    ///   - environment: The environment of the process.
    /// - Returns: At least one port.
    /// - Throws: ``OperationError`` if the configuration cannot be read, or has no such port.
    func ports(
        orOf config: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(OperationError) -> [AdminPort] {
        guard admin.isEmpty else { return admin.map { AdminPort(address: $0) } }
        let reader = ConfigurationReader(environment: environment)
        let file = ConfigurationPlace.find(config, environment: environment)
        let read: ReadTopics
        do throws(ConfigurationError) {
            read = if let file { try reader.readTopics(file: file) } else { reader.readTopics() }
        } catch {
            throw OperationError(.badConfiguration, "\(error)\nOr name a port with '--admin host:port'.")
        }
        let problems = read.problems.filter { $0.path.hasPrefix("admin") }
        guard problems.isEmpty else {
            let error = ConfigurationError(source: file ?? "the environment", problems: problems)
            throw OperationError(.badConfiguration, "\(error)\nOr name a port with '--admin host:port'.")
        }
        guard let listen = read.admin, listen.port != 0 else {
            throw OperationError(
                .badConfiguration,
                "\(file ?? "the environment"): admin.listen has no port to ask; name one with '--admin host:port', or ask "
                    + "Kafka with '--group'"
            )
        }
        // If it listens on all addresses, the loopback address reaches it.
        let host = ["0.0.0.0", "::"].contains(listen.host) ? "127.0.0.1" : listen.host
        return [AdminPort(address: (host.contains(":") ? "[\(host)]" : host) + ":\(listen.port)")]
    }
}
