#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Real brokers in processes of their own, which end with this object. They need `KAFKA_HOME`.
package final class RealCluster: Sendable {
    /// Where clients find it.
    package let bootstrapServers: String
    private let script: ChildProcess

    private init(bootstrapServers: String, script: ChildProcess) {
        self.bootstrapServers = bootstrapServers
        self.script = script
    }

    /// Starts brokers and waits until they serve.
    ///
    /// - Parameter brokers: How many. Topics lie on up to three of them, and a write needs all but one.
    /// - Returns: A cluster without topics.
    /// - Throws: ``ChildProcess/Failure`` with what a broker said last.
    package static func start(brokers: Int = 1) async throws -> RealCluster {
        let ports = try freePorts(2 * brokers).map(String.init)
        let script = try ChildProcess([ChildProcess.scripts + "/kafka-cluster.sh"] + ports)
        return RealCluster(bootstrapServers: try await script.line(after: "ready "), script: script)
    }

    /// Kills a broker with `kill -9`, and waits until it is gone.
    ///
    /// - Parameter broker: Its id, from 1. One life long once: it can be killed again only in another cluster.
    /// - Throws: ``ChildProcess/Failure`` when the cluster has ended.
    package func kill(_ broker: Int32) async throws {
        script.send("kill \(broker)")
        _ = try await script.line(after: "killed \(broker)")
    }

    /// Starts a killed broker on its own data, and waits until it serves.
    ///
    /// - Parameter broker: Its id, from 1.
    /// - Throws: ``ChildProcess/Failure`` when it does not start.
    package func restart(_ broker: Int32) async throws {
        script.send("start \(broker)")
        _ = try await script.line(after: "started \(broker)")
    }

    /// Ends all brokers and removes their data.
    package func stop() async {
        script.endInput()
        _ = try? await script.waitForEnd()
    }

    /// Ports that were free a moment ago: a broker and its controller must know theirs beforehand.
    private static func freePorts(_ count: Int) throws -> [UInt16] {
        var sockets: [Int32] = []
        // All are held until all are known, so that none comes twice.
        defer { for socket in sockets { close(socket) } }
        return try (0..<count).map { _ in
            #if canImport(Glibc)
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
            let socket = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            sockets.append(socket)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
                }
            }
            guard status == 0 else { throw ChildProcess.Failure(description: "no free port: \(errno)") }
            return UInt16(bigEndian: address.sin_port)
        }
    }
}
