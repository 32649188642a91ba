import CurlTransport
import HTTPTransport
import KafkaTestCluster
import NotificationHubs
import TestSupport
import Testing
import Timestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash hub --data` in a process of its own, and a client that knows its key.
final class KeptHubProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let program: LeashedProgram
    /// As it said when it was ready.
    let connection: HubConnectionString
    let url: String
    private let transport: CurlTransport

    /// Starts it and waits until it serves.
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

    /// Starts it, to be killed whenever.
    static func launch(folder: String) async throws -> LeashedProgram {
        try await LeashedProgram(
            // A file that must not grow is then an error of the write, and not the end. The seed is the same each time, so
            // that ids of before come up again.
            ["/bin/bash", "-c", #"trap "" XFSZ; exec "$@""#, "hub", TestProgram.path(), "hub"]
                + ["--listen", "127.0.0.1:0", "--name", "Newsroom", "--seed", "7", "--data", folder]
                // Now and then there is time between the work and the answer, for a kill.
                + ["--fault", #"{"latency":"4ms","rate":0.2}"#],
            environment: TestProgram.environment
        )
    }

    /// Sends a request that changes something.
    ///
    /// - Returns: The status; nothing where no answer came.
    func answer(to step: KeptHubStep) async throws -> HTTPResponse? {
        let request = try step.request(to: url)
        return try? await transport.send(signed(request, key: connection.key))
    }

    /// Reads something.
    ///
    /// - Parameters:
    ///   - path: With the query.
    ///   - key: Whose; the namespace's where nothing is given.
    ///   - status: What is right.
    /// - Returns: The answer.
    /// - Throws: ``Failure`` for another status, and where there is no answer.
    func read(_ path: String, key: SharedAccessKey? = nil, status: Set<Int> = [200]) async throws -> HTTPResponse {
        let request = HTTPRequest(method: .get, url: url + path)
        let answer = try await transport.send(signed(request, key: key ?? connection.key))
        guard status.contains(answer.status) else {
            throw Failure(description: "\(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer
    }

    /// Kills it, and waits for its end.
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
