import HTTPTransport
import Kafka
import KafkaTestCluster
import StructuredLog
import TestSupport
import Testing
import Worker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A broker to which a connection can be made, and that answers nothing: a connection does not mean that Kafka works.
@Suite(.timeLimit(.minutes(4)))
struct SilentBrokerTests {
    @Test
    func `a worker is not ready as long as a broker accepts connections and never answers`() async throws {
        try await Newsroom.open { newsroom in
            let broker = try SilentServer()
            defer { broker.close() }
            var configuration = newsroom.configuration
            configuration.kafka.bootstrapServers = "127.0.0.1:\(broker.port)"
            let changed = configuration
            let starting = Task { try await newsroom.startWorker(changed) }
            let served = try await newsroom.log.wait { entries in
                entries.first { $0.message == "health and metrics are served" }
            }
            let address = "\(served.metadata["listen"].map { "\($0)" } ?? "")"
            let admin = AdminClient(port: try #require(address.split(separator: ":").last.flatMap { UInt16($0) }))
            // Before anything is known of the broker, and when it has not answered.
            #expect(try await admin.get("/readyz").status == 503)
            let complaint = try await newsroom.log.wait { entries in
                entries.first { $0.message == "the worker waits for Kafka and its topics" }
            }
            #expect("\(complaint.metadata["detail"].map { "\($0)" } ?? "")".contains(":\(broker.port)"))
            let ready = try await admin.get("/readyz")
            #expect(ready.status == 503)
            let text = String(decoding: ready.body, as: UTF8.self)
            #expect(text.contains("starting: ") && text.contains(":\(broker.port)"), "\(text)")
            #expect(try await admin.get("/livez").status == 200, "a restart would not help")
            #expect(broker.hasConnection, "it has accepted")
            starting.cancel()
            let error = await #expect(throws: WorkerStartError.self) { try await starting.value }
            #expect(error?.code == .cancelled)
        }
    }
}

/// Accepts connections, as the system does for a socket that listens, and reads nothing.
private struct SilentServer {
    private let descriptor: Int32
    let port: UInt16

    struct Failure: Error { var number: Int32 }

    init() throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 128) == 0
                    ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard status == 0 else { throw Failure(number: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Whether somebody has connected.
    var hasConnection: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Self.wait(&poll) == 1
    }

    private static func wait(_ descriptor: inout pollfd) -> Int32 { poll(&descriptor, 1, 0) }

    func close() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
