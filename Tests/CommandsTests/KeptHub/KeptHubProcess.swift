import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash hub --data` in a process of its own, and a client with its key.
final class KeptHubProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let program: LeashedProgram
    /// The connection string that it printed when it was ready.
    let connection: HubConnectionString
    let url: String
    private let transport: CurlTransport

    /// Starts the hub and waits until it serves.
    init(folder: String) async throws {
        self.program = try await Self.launch(folder: folder)
        url = try await program.line(after: "ready ")
        connection = try HubConnectionString("Endpoint=" + (try await program.line(after: "Endpoint=")))
        var settings = CurlTransportConfiguration()
        settings.proxy = .none
        transport = try CurlTransport(settings)
    }

    deinit {
        program.end()
        transport.shutdown()
    }

    /// Starts the hub, which may be killed at any time.
    static func launch(folder: String) async throws -> LeashedProgram {
        try await LeashedProgram(
            // With XFSZ ignored, a file that must not grow makes a write fail and does not end the process. The seed is
            // the same each time, so that earlier ids are drawn again.
            ["/bin/bash", "-c", #"trap "" XFSZ; exec "$@""#, "hub", TestProgram.path(), "hub"]
                + ["--listen", "127.0.0.1:0", "--name", "Newsroom", "--seed", "7", "--data", folder]
                // A delay between the work and the answer in some requests, for kills.
                + ["--fault", #"{"latency":"4ms","rate":0.2}"#],
            environment: TestProgram.environment
        )
    }

    /// Sends a request that changes something.
    ///
    /// - Returns: The status, or `nil` without an answer.
    func answer(to step: KeptHubStep) async throws -> HTTPResponse? {
        let request = try step.request(to: url)
        return try? await transport.send(signed(request, key: connection.key))
    }

    /// Reads a resource.
    ///
    /// - Parameters:
    ///   - path: The path with the query.
    ///   - key: The key to sign with; by default the namespace's.
    ///   - status: The expected status.
    /// - Returns: The answer.
    /// - Throws: ``Failure`` for another status, and if no answer came.
    func read(_ path: String, key: SharedAccessKey? = nil, status: Set<Int> = [200]) async throws -> HTTPResponse {
        let request = HTTPRequest(method: .get, url: url + path)
        let answer = try await transport.send(signed(request, key: key ?? connection.key))
        guard status.contains(answer.status) else {
            throw Failure(description: "\(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer
    }

    /// Kills the hub and waits for its end.
    func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.waitForEnd()
    }

    private func signed(_ request: HTTPRequest, key: SharedAccessKey) -> HTTPRequest {
        var request = request
        let token = SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: "http://127.0.0.1/"),
            expiry: Timestamp.now().seconds + 600,
            keyName: connection.keyName,
            key: key
        )
        request.headers.append("Authorization", token.headerValue)
        return request
    }
}
