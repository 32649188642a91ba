import Glibc
import NewsflashBasics

@testable import NewsflashCurlTransport

/// A server on a free port of 127.0.0.1 that leaves each connection to a script, on a thread of its own.
final class SocketServer: Sendable {
    /// A connection as seen by its script.
    struct Peer: Sendable {
        /// The number, from 1.
        let number: Int
        fileprivate let socket: Int32

        /// Reads up to the blank line after a request's head, byte by byte, so that the body is left.
        ///
        /// - Returns: The head, or `nil` if the client has ended the connection.
        func readHead() -> String? {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard Glibc.read(socket, &byte, 1) == 1 else { return nil }
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }

        /// Reads a number of bytes, or fewer if the connection ends.
        func read(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 16_384)
            while bytes.count < count {
                let got = Glibc.read(socket, &piece, min(piece.count, count - bytes.count))
                guard got > 0 else { break }
                bytes += piece[..<got]
            }
            return bytes
        }

        func send(_ text: String) {
            _ = Loopback.send(Array(text.utf8), to: socket)
        }

        /// Sends a text and the end of the connection in one segment; the client can still send.
        func sendLast(_ text: String) {
            let bytes = Array(text.utf8)
            _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_MORE))
            shutdown(socket, Int32(SHUT_WR))
        }

        /// Reads until the client ends the connection.
        func readToEnd() {
            _ = read(.max)
        }
    }

    let port: UInt16
    private let listener: Int32
    private let script: @Sendable (Peer) -> Void
    private let threads = Locked<[LoopThread]>([])
    private let sockets = Locked<[Int32]>([])

    /// - Parameters:
    ///   - receiveBuffer: The size of the system's receive buffer in bytes; `nil` for the default.
    ///   - script: Runs for each connection, which ends with it.
    /// - Throws: ``Loopback/Failure`` if no port is free.
    init(receiveBuffer: Int32? = nil, _ script: @escaping @Sendable (Peer) -> Void) throws {
        let (listener, port) = try Loopback.listen()
        (self.listener, self.port, self.script) = (listener, port, script)
        if var size = receiveBuffer {
            setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        startThread { $0.acceptAll() }
    }

    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Ends every connection and waits for the threads; gates must be open.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        while let thread = threads.withLock({ $0.popLast() }) {
            for socket in sockets.withLock({ $0 }) { shutdown(socket, Int32(SHUT_RDWR)) }
            thread.join()
        }
        for socket in sockets.withLock({ $0 }) { close(socket) }
        close(listener)
    }

    private func startThread(_ body: @escaping @Sendable (SocketServer) -> Void) {
        guard let thread = LoopThread(name: "test-socket", { [self] in body(self) }) else { return }
        threads.withLock { $0.append(thread) }
    }

    private func acceptAll() {
        var number = 0
        while true {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { return }
            Loopback.sendAtOnce(socket)
            number += 1
            sockets.withLock { $0.append(socket) }
            startThread { [number] server in
                server.script(Peer(number: number, socket: socket))
                shutdown(socket, Int32(SHUT_RDWR))
            }
        }
    }
}
