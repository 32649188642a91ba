package import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashStrictJSON

/// A worker's port for health and metrics.
package struct AdminPort: Sendable, Hashable {
    /// The host and port.
    package var address: String

    package init(address: String) {
        self.address = address
    }

    /// Queries the health and status of the worker.
    ///
    /// - Parameters:
    ///   - transport: The transport for the requests.
    ///   - countsEnds: Whether to query the number of ended events, too.
    /// - Returns: The facts, or the reason why the worker did not answer.
    package func query(by transport: CurlTransport, countingEnds countsEnds: Bool = false) async -> WorkerSnapshot {
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
    package static func transport() throws(OperationError) -> CurlTransport {
        var configuration = CurlTransportConfiguration()
        configuration.connectTimeout = .seconds(2)
        configuration.firstByteTimeout = .seconds(3)
        configuration.requestTimeout = .seconds(5)
        configuration.maximumResponseBytes = 16 << 20
        configuration.proxy = .none
        do {
            return try CurlTransport(configuration)
        } catch {
            throw OperationError(.internalError, "\(error)")
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
package struct NoAnswerError: Error, Sendable, Equatable {
    package var why: String
}

extension WorkerSnapshot {
    /// Queries several workers at once.
    ///
    /// - Parameters:
    ///   - ports: The admin ports.
    ///   - countsEnds: Whether to query the number of ended events, too.
    /// - Returns: The results in the order of the ports.
    /// - Throws: ``OperationError`` if the transport cannot be started.
    package static func all(at ports: [AdminPort], countingEnds countsEnds: Bool = false) async throws(OperationError)
        -> [WorkerSnapshot]
    {
        let transport = try AdminPort.transport()
        defer { transport.shutdown() }
        return await SlowOperationNotice.noting("asking \(ports.map(\.address).joined(separator: ", "))") {
            await withTaskGroup(of: (Int, WorkerSnapshot).self) { group in
                for (place, port) in ports.enumerated() {
                    group.addTask { (place, await port.query(by: transport, countingEnds: countsEnds)) }
                }
                var looks: [(Int, WorkerSnapshot)] = []
                for await look in group { looks.append(look) }
                return looks.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
    }
}
