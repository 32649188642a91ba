import CurlTransport
import HTTPTransport
import StrictJSON

/// A worker's port for health and metrics.
struct AdminPort: Sendable, Hashable {
    /// Host and port.
    var address: String

    /// What the worker says of itself.
    ///
    /// - Parameters:
    ///   - transport: By which to ask.
    ///   - countsEnds: Whether to ask also how many events ended.
    /// - Returns: That, or why it does not answer.
    func look(by transport: CurlTransport, countingEnds countsEnds: Bool = false) async -> WorkerLook {
        do throws(Silence) {
            let health = try await get("/readyz", by: transport, expecting: [200, 503])
            let status = try await get("/status", by: transport, expecting: [200])
            var ends: Double?
            if countsEnds { ends = WorkerFacts.ends(in: try await get("/metrics", by: transport, expecting: [200])) }
            guard let health = try? JSONReader.read(health), let status = try? JSONReader.read(status),
                health[member: "ready"] != nil, status[member: "worker"] != nil
            else { throw Silence(why: "what answers there is no worker of newsflash") }
            return WorkerLook(
                address: address,
                answer: .success(WorkerFacts(health: health, status: status, ends: ends))
            )
        } catch {
            return WorkerLook(address: address, answer: .failure(error))
        }
    }

    /// A transport that waits for a worker nearby, not for a hub in the cloud.
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
    ) async throws(Silence) -> [UInt8] {
        let response: HTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(HTTPRequest(method: .get, url: "http://\(address)\(path)"))
        } catch {
            throw Silence(why: error.message)
        }
        guard statuses.contains(response.status) else {
            throw Silence(why: "\(path) is answered with \(response.status): is that the admin port of a worker?")
        }
        return response.body
    }
}

/// Why a worker did not say how it is.
struct Silence: Error, Sendable, Equatable {
    var why: String
}
