import CommandLineArguments
import HTTPServer
import Worker

/// `--admin`: where workers say how they are.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A worker's port for health and metrics (admin.listen), once for each worker; left out, the one of the "
                + "configuration, on this machine.",
            valueName: "host:port"
        )
    )
    var admin: [String] = []

    func validate() throws {
        for text in admin where ListenAddress(text).map({ $0.port == 0 }) ?? true {
            throw ValidationError("'--admin' takes host:port, such as 10.0.0.7:9464; '\(text)' is none.")
        }
    }

    /// The ports that are meant.
    ///
    /// - Parameter file: The configuration to look into where none is named.
    /// - Returns: At least one.
    /// - Throws: ``CommandError`` where the configuration cannot be read, or has no such port.
    func ports(orOf file: String) throws(CommandError) -> [AdminPort] {
        guard admin.isEmpty else { return admin.map { AdminPort(address: $0) } }
        var options = ConfigurationOptions()
        options.config = file
        guard let listen = try options.read().configuration.admin, listen.port != 0 else {
            throw CommandError(
                .badConfiguration,
                "\(file): admin.listen names no port to ask; name one with '--admin host:port', or ask Kafka with '--group'"
            )
        }
        // Where it listens on all addresses it is to be found on this machine's own.
        let host = ["0.0.0.0", "::"].contains(listen.host) ? "127.0.0.1" : listen.host
        return [AdminPort(address: (host.contains(":") ? "[\(host)]" : host) + ":\(listen.port)")]
    }
}
