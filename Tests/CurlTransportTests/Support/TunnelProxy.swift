import Glibc
import NewsflashBasics
import NewsflashTestSupport

@testable import NewsflashCurlTransport

/// A proxy on a free port of 127.0.0.1 that makes a tunnel to one port, whatever the request names.
final class TunnelProxy: Sendable {
    let port: UInt16
    /// The first line of each request for a tunnel.
    let lines = EventLog<String>()
    private let target: UInt16
    private let listener: Int32
    private let threads = Locked<[LoopThread]>([])
    private let sockets = Locked<[Int32]>([])

    init(to target: UInt16) throws {
        let (listener, port) = try Loopback.listen()
        (self.listener, self.port, self.target) = (listener, port, target)
        startThread { $0.acceptAll() }
    }

    /// Ends every tunnel and waits for the threads.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        while let thread = threads.withLock({ $0.popLast() }) {
            for socket in sockets.withLock({ $0 }) { shutdown(socket, Int32(SHUT_RDWR)) }
            thread.join()
        }
        for socket in sockets.withLock({ $0 }) { close(socket) }
        close(listener)
    }

    private func startThread(_ body: @escaping @Sendable (TunnelProxy) -> Void) {
        guard let thread = LoopThread(name: "test-proxy", { [self] in body(self) }) else { return }
        threads.withLock { $0.append(thread) }
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            sockets.withLock { $0.append(client) }
            startThread { $0.serve(client) }
        }
    }

    private func serve(_ client: Int32) {
        var request: [UInt8] = []
        var byte: UInt8 = 0
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard read(client, &byte, 1) == 1 else { return }
            request.append(byte)
        }
        guard let server = try? Loopback.connect(to: target) else { return }
        sockets.withLock { $0.append(server) }
        lines.append(String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
        _ = Loopback.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8), to: client)
        startThread { _ in Self.copy(from: server, to: client) }
        Self.copy(from: client, to: server)
    }

    private static func copy(from source: Int32, to target: Int32) {
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(source, &piece, piece.count)
            guard count > 0, Loopback.send(Array(piece[..<count]), to: target) else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }
}
