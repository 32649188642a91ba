import Glibc
import NewsflashBasics
import NewsflashTestSupport

@testable import NewsflashCurlTransport

/// A server of scripted answers on a free port of 127.0.0.1, with one thread for each connection.
final class LoopbackServer: Sendable {
    /// A request as received, with the number of its connection, from 1.
    struct Request: Sendable {
        let head: String
        let body: [UInt8]
        let connection: Int

        /// The request line, for example `POST /messages HTTP/1.1`.
        var line: String { lines[0] }
        /// The header lines as sent, in order.
        var headerLines: [String] { Array(lines.dropFirst()) }
        private var lines: [String] { head.split(separator: "\r\n").map(String.init) }
    }

    /// The reaction to a request.
    enum Step: Sendable {
        case send(String)
        case wait(Gate)
        case run(@Sendable () -> Void)
        /// Answers nothing and keeps the connection until the client closes it.
        case hold
        /// Ends the connection in order.
        case close
        /// Cuts the connection (RST).
        case reset

        static func answer(_ status: String = "200 OK", headers: [String] = [], _ body: String = "") -> Step {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
            return .send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
    }

    private struct State {
        var connections: Set<Int32> = []
        var threads: [LoopThread] = []
        var isStopped = false
    }

    let port: UInt16
    /// Every request that was received in full.
    let requests = EventLog<Request>()
    /// The connections opened so far, by number.
    let accepted = EventLog<Int>()
    /// The connections that the client has closed, by number.
    let ended = EventLog<Int>()
    /// The connections whose steps for a request are all finished, by number.
    let answered = EventLog<Int>()

    private let listener: Int32
    private let script: @Sendable (Request) -> [Step]
    private let state = Locked(State())

    init(_ script: @escaping @Sendable (Request) -> [Step] = { _ in [.answer()] }) throws {
        let (listener, port) = try Loopback.listen()
        self.listener = listener
        self.port = port
        self.script = script
        guard let acceptor = LoopThread(name: "test-accept", { [self] in acceptAll() }) else {
            throw Loopback.Failure()
        }
        state.withLock { $0.threads.append(acceptor) }
    }

    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Ends every connection and waits for the threads; gates must be open. A second call has no effect.
    func stop() {
        let threads = state.withLock { state -> [LoopThread]? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            return state.threads
        }
        guard let threads else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        for thread in threads { thread.join() }
        // The acceptor may have added one while it ended.
        for thread in state.withLock({ $0.threads }) { thread.join() }
        close(listener)
    }

    private func acceptAll() {
        while true {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { return }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            Loopback.sendAtOnce(socket)
            let number = accepted.events.count + 1
            accepted.append(number)
            state.withLock { state in
                guard !state.isStopped, let thread = LoopThread(name: "test-serve", { [self] in serve(socket, number) })
                else {
                    close(socket)
                    return
                }
                state.connections.insert(socket)
                state.threads.append(thread)
            }
        }
    }

    private func serve(_ socket: Int32, _ number: Int) {
        var reader = RequestReader(socket: socket)
        reading: while let (head, body) = reader.next() {
            let request = Request(head: head, body: body, connection: number)
            requests.append(request)
            for step in script(request) {
                guard perform(step, on: socket) else { break reading }
            }
            answered.append(number)
        }
        state.withLock { state in
            state.connections.remove(socket)
            close(socket)
        }
        ended.append(number)
    }

    /// - Returns: Whether the connection goes on.
    private func perform(_ step: Step, on socket: Int32) -> Bool {
        switch step {
        case .send(let text):
            return Loopback.send(Array(text.utf8), to: socket)
        case .wait(let gate):
            gate.wait()
            return true
        case .run(let work):
            work()
            return true
        case .hold:
            var byte: UInt8 = 0
            while read(socket, &byte, 1) > 0 {}
            return false
        case .close:
            return false
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }
}

/// Splits a connection's bytes into requests.
private struct RequestReader {
    let socket: Int32
    private var buffer: [UInt8] = []

    init(socket: Int32) {
        self.socket = socket
    }

    mutating func next() -> (head: String, body: [UInt8])? {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                let length = Self.bodyLength(head)
                while buffer.count < end.upperBound + length {
                    guard fill() else { return nil }
                }
                let body = Array(buffer[end.upperBound..<(end.upperBound + length)])
                buffer.removeFirst(end.upperBound + length)
                return (head, body)
            }
            guard fill() else { return nil }
        }
    }

    private mutating func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = read(socket, &piece, piece.count)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }

    private static func bodyLength(_ head: String) -> Int {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
}
