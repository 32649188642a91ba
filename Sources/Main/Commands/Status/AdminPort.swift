import CommandLineArguments
import CurlTransport
import FoundationEssentials
import HTTPServer
import HTTPTransport
import StrictJSON
import Worker

/// A worker's port for health and metrics.
struct AdminPort: Sendable, Hashable {
    /// The host and port.
    var address: String

    /// Queries the health and status of the worker.
    ///
    /// - Parameters:
    ///   - transport: The transport for the requests.
    ///   - countsEnds: Whether to query the number of ended events, too.
    /// - Returns: The facts, or the reason why there is no answer.
    func query(by transport: CurlTransport, countingEnds countsEnds: Bool = false) async -> WorkerSnapshot {
        do throws(NoAnswerError) {
            let health = try await get("/readyz", by: transport, expecting: [200, 503])
            let status = try await get("/status", by: transport, expecting: [200])
            var ends: Double?
            if countsEnds { ends = WorkerFacts.ends(in: try await get("/metrics", by: transport, expecting: [200])) }
            guard let health = try? JSONReader.read(health), let status = try? JSONReader.read(status),
                health[member: "ready"] != nil, status[member: "worker"] != nil
            else { throw NoAnswerError(why: "the server at this address is not a newsflash worker") }
            return WorkerSnapshot(
                address: address,
                answer: .success(WorkerFacts(health: health, status: status, ends: ends))
            )
        } catch {
            return WorkerSnapshot(address: address, answer: .failure(error))
        }
    }

    /// Makes a transport with short timeouts for a worker in the same network.
    static func transport() throws(CommandError) -> CurlTransport {
        var configuration = CurlTransportConfiguration()
        configuration.connectTimeout = .seconds(2)
        configuration.firstByteTimeout = .seconds(3)
        configuration.requestTimeout = .seconds(5)
        configuration.maximumResponseBytes = 16 << 20
        configuration.proxy = .none
        do {
            return try CurlTransport(configuration)
        } catch {
            throw CommandError(.internalError, "\(error)")
        }
    }

    private func get(
        _ path: String,
        by transport: CurlTransport,
        expecting statuses: Set<Int>
    ) async throws(NoAnswerError) -> [UInt8] {
        let response: HTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(HTTPRequest(method: .get, url: "http://\(address)\(path)"))
        } catch {
            throw NoAnswerError(why: error.message)
        }
        guard statuses.contains(response.status) else {
            throw NoAnswerError(why: "\(path) responds with \(response.status): is this the admin port of a worker?")
        }
        return response.body
    }
}

/// The reason why a worker did not answer.
struct NoAnswerError: Error, Sendable, Equatable {
    var why: String
}

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
    /// - Throws: ``CommandError`` if the configuration cannot be read, or has no such port.
    func ports(
        orOf config: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) -> [AdminPort] {
        guard admin.isEmpty else { return admin.map { AdminPort(address: $0) } }
        let reader = ConfigurationReader(environment: environment)
        let file = ConfigurationPlace.find(config, environment: environment)
        let read: ReadTopics
        do throws(ConfigurationError) {
            read = if let file { try reader.readTopics(file: file) } else { reader.readTopics() }
        } catch {
            throw CommandError(.badConfiguration, "\(error)\nOr name a port with '--admin host:port'.")
        }
        let problems = read.problems.filter { $0.path.hasPrefix("admin") }
        guard problems.isEmpty else {
            let error = ConfigurationError(source: file ?? "the environment", problems: problems)
            throw CommandError(.badConfiguration, "\(error)\nOr name a port with '--admin host:port'.")
        }
        guard let listen = read.admin, listen.port != 0 else {
            throw CommandError(
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
