internal import CNewsflashMicroHTTPD
internal import NewsflashBasics

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

// Unchecked, because everything except the locks is only used in libmicrohttpd's callbacks, one after another.
/// One request and its response, from the request line until libmicrohttpd reports its end.
///
/// libmicrohttpd has a reference from the first callback for the request to the last.
final class Exchange: @unchecked Sendable {
    private enum Phase {
        /// Only the request line has been received.
        case begun
        /// A task decides on the basis of the head; the connection is suspended.
        case deciding
        /// The body is being received.
        case receiving(limit: Int, handler: @Sendable (HTTPServerRequest) -> HTTPServerReply)
        /// The body is discarded; the reply follows it.
        case dropping(HTTPServerReply)
        /// A task prepares the response; the connection is suspended.
        case working
        /// The response is queued.
        case answered
    }

    /// The maximum length of a body that is read and discarded: reading it costs less than a new connection.
    private static let mostDropped = 64 << 10

    let gate: ConnectionGate
    /// Identifies the connection among the open ones.
    let id: OpenConnections.Ages.ID?
    private let connection: OpaquePointer
    private let targetLength: Int
    private var request: HTTPServerRequest
    private var layout: HeadLayout?
    private var framing = BodyFraming.length(0)
    /// The bytes of the server's budget that are reserved for this body.
    private var reserved = 0
    private var received = 0
    private var phase = Phase.begun
    private var mustClose = false
    private var task: Task<Void, Never>?
    private var stream: StreamBody?
    private let decision = Locked<HTTPServerDecision?>(nil)
    private let answer = Locked<HTTPServerResponse?>(nil)

    /// Starts an exchange with its request line.
    ///
    /// - Parameters:
    ///   - target: The request target as sent; may be missing.
    ///   - connection: The connection; valid until ``end(core:)``.
    ///   - id: Identifies the connection.
    ///   - gate: Suspends and resumes the connection.
    init(target: UnsafePointer<CChar>?, connection: OpaquePointer, id: OpenConnections.Ages.ID?, gate: ConnectionGate) {
        self.id = id
        self.connection = connection
        self.gate = gate
        targetLength = target.map { cmhd_length($0) } ?? 0
        request = HTTPServerRequest(method: "", target: target.map { String(cString: $0) } ?? "")
    }

    /// The parts of the request line that libmicrohttpd passes with each call.
    struct Line {
        var method: UnsafePointer<CChar>?
        /// The target up to its question mark.
        var target: UnsafePointer<CChar>?
        var version: UnsafePointer<CChar>?
    }

    /// Handles a call of libmicrohttpd for this request.
    ///
    /// - Parameters:
    ///   - line: The request line.
    ///   - piece: The next bytes of the body; empty in the call for the head and in the last one.
    ///   - core: The server's limits, handlers and tasks.
    /// - Returns: False to close the connection without a response.
    func proceed(line: Line, piece: UnsafeRawBufferPointer, core: ServerCore) -> Bool {
        switch phase {
        case .begun: return receiveHead(line, core: core)
        case .deciding:
            // Called again without a decision: the server is stopping, or the client has gone.
            guard let decision = decision.withLock({ $0.take() }) else { return false }
            core.connections.move(id, to: .receiving)
            return follow(decision, core: core)
        case .receiving(let limit, _) where !piece.isEmpty: return receive(piece, limit: limit, core: core)
        case .receiving(_, let handler):
            core.connections.move(id, to: .answering)
            let whole = request
            request.body = []
            return perform(handler(whole), core: core)
        case .dropping where !piece.isEmpty:
            // libmicrohttpd accepts no response within a body, so the whole body must be received first.
            received += piece.count
            return received <= Self.mostDropped
        case .dropping(let reply): return perform(reply, core: core)
        case .working:
            // Called again without a response: the server is stopping, or the client has gone.
            guard let response = answer.withLock({ $0.take() }) else { return false }
            return queue(response, core: core)
        case .answered: return true
        }
    }

    /// Releases everything: the response is sent, or the client or the server has gone.
    func end(core: ServerCore) {
        gate.close()
        stream?.close()
        task?.cancel()
        core.bodies.withLock { $0.release(reserved) }
        reserved = 0
    }

    private func receiveHead(_ line: Line, core: ServerCore) -> Bool {
        request.method = line.method.map { String(cString: $0) } ?? ""
        request.client = ClientAddress(cmhd_client(connection))
        do throws(MalformedHead) {
            try readFields(line)
            framing = try RequestHeadRules.framing(of: request, version: line.version.map { String(cString: $0) } ?? "")
        } catch {
            mustClose = true
            return perform(.now(core.refuse(request, .malformed(error))), core: core)
        }
        for index in request.headers.indices {
            request.headers[index].value = request.headers[index].value.withoutBlanksAtEnd
        }
        // libmicrohttpd 0.9.75 accepts a bare LF in the lines between chunks: two parsers may find different ends of such a
        // body.
        if framing == .chunked { mustClose = true }
        return follow(core.decide(request), core: core)
    }

    private func readFields(_ line: Line) throws(MalformedHead) {
        layout = HeadLayout(
            method: place(line.method, cmhd_length(line.method)),
            target: place(line.target, targetLength),
            version: place(line.version, cmhd_length(line.version))
        )
        MHD_get_connection_values_n(
            connection,
            .HEADER_KIND,
            { context, _, name, nameLength, value, valueLength in
                guard let context else { return .NO }
                let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                exchange.request.headers.append((text(name, nameLength), text(value, valueLength)))
                exchange.layout?.add(name: place(name, nameLength), value: place(value, valueLength))
                return .YES
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        let end = place(line.method, cmhd_head_size(connection)).upperBound
        guard cmhd_checks_line_ends || layout?.isExact(endingAt: end) == true else { throw .line }
        layout = nil
    }

    private func follow(_ decision: HTTPServerDecision, core: ServerCore) -> Bool {
        switch decision {
        case .answer(let reply): return answer(reply, core: core)
        case .receive(let limit, let handler):
            let bytes = if case .length(let length) = framing { length } else { limit }
            guard bytes <= limit else { return perform(.now(core.refuse(request, .tooLarge)), core: core) }
            guard core.bodies.withLock({ $0.reserve(bytes) }) else {
                return answer(.now(core.refuse(request, .busy)), core: core)
            }
            reserved = bytes
            phase = .receiving(limit: limit, handler: handler)
            return true
        case .later(let work):
            phase = .deciding
            return suspend(core: core) { [self] in
                let made = await work()
                if !Task.isCancelled { self.decision.withLock { $0 = made } }
            }
        }
    }

    /// Responds without using the body.
    private func answer(_ reply: HTTPServerReply, core: ServerCore) -> Bool {
        // If it responds before the end of a request, libmicrohttpd reads no more and closes the connection.
        guard case .length(let length) = framing, length <= Self.mostDropped,
            length == 0 || request.first(named: "Expect") == nil
        else { return perform(reply, core: core) }
        phase = .dropping(reply)
        return true
    }

    private func receive(_ piece: UnsafeRawBufferPointer, limit: Int, core: ServerCore) -> Bool {
        received += piece.count
        if received <= limit {
            // Reserved at once, because a growing array uses up to twice its length.
            if request.body.isEmpty { request.body.reserveCapacity(reserved) }
            request.body.append(contentsOf: piece)
        } else {
            request.body = []
            received = 0
            phase = .dropping(.now(core.refuse(request, .tooLarge)))
        }
        return true
    }

    private func perform(_ reply: HTTPServerReply, core: ServerCore) -> Bool {
        switch reply {
        case .now(let response): return queue(response, core: core)
        case .abort: return false
        case .later(let work):
            phase = .working
            return suspend(core: core) { [self] in
                let response = await work()
                // The response of a cancelled handler is invalid: the connection is closed without a response.
                if !Task.isCancelled { answer.withLock { $0 = response } }
            }
        }
    }

    /// Suspends the connection until work is finished.
    private func suspend(core: ServerCore, until work: @escaping @Sendable () async -> Void) -> Bool {
        core.connections.move(id, to: .answering)
        guard gate.suspend() else { return false }
        core.connections.wait(id, behind: gate)
        task = core.tasks.start { [gate] in
            await work()
            gate.resume()
        }
        if task == nil { gate.resume() }
        return true
    }

    private func queue(_ response: HTTPServerResponse, core: ServerCore) -> Bool {
        phase = .answered
        switch response.cut {
        case .unanswered: return false
        case .halfway:
            PartialResponse(response, isHead: request.method == "HEAD").write(to: connection)
            return false
        case nil: break
        }
        var isStream = false
        if case .stream(let pieces) = response.body, request.method != "HEAD" {
            isStream = true
            let stream = StreamBody(gate: gate)
            self.stream = stream
            task = core.tasks.start { await stream.pump(pieces) }
        }
        core.connections.move(id, to: isStream ? .streaming : .sending)
        var response = response
        if mustClose { response.headers.append(("Connection", "close")) }
        return MHDResponse(response, stream: stream).queue(on: connection)
    }
}

/// Returns text from a pointer and a length; empty if libmicrohttpd passes none.
private func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}

/// Returns the addresses of bytes in memory.
private func place(_ start: UnsafePointer<CChar>?, _ length: Int) -> Range<Int> {
    let start = start.map { Int(bitPattern: $0) } ?? 0
    return start..<start + length
}

/// The first half of a response, for a client whose connection is to break within it.
///
/// libmicrohttpd sends heads as a whole, so these bytes are written directly to the socket, or into its TLS session. By then it
/// has sent all earlier responses, and it closes the connection when the callback requests that.
struct PartialResponse {
    let bytes: [UInt8]

    /// Creates the first half of a response.
    ///
    /// - Parameters:
    ///   - answer: The complete response.
    ///   - isHead: Whether the request is a `HEAD`, whose response has no content.
    init(_ answer: HTTPServerResponse, isHead: Bool) {
        var content: [UInt8] = []
        if case .bytes(let bytes) = answer.body, !isHead { content = bytes }
        let reason = MHD_get_reason_phrase_for(UInt32(clamping: answer.status)).map { String(cString: $0) } ?? ""
        var lines = ["HTTP/1.1 \(answer.status) \(reason)"]
        lines += answer.headers.map { "\($0.name): \($0.value)" }
        lines.append("Content-Length: \(content.count)")
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        bytes = content.isEmpty ? Array(head.prefix(head.count / 2)) : head + content.prefix(content.count / 2)
    }

    /// Writes as much as the system accepts at once; on the thread that is in a callback for the connection.
    ///
    /// - Parameter connection: A connection without a response.
    func write(to connection: OpaquePointer) {
        // Bytes that are not sent here would have been cut off anyway.
        bytes.withUnsafeBytes { cmhd_send(connection, $0.baseAddress, $0.count, sendFlags) }
    }
}

#if canImport(Glibc)
private let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
#else
private let sendFlags = Int32(MSG_DONTWAIT)
#endif

/// The memory addresses of a head's parts, which show how its lines were separated.
///
/// libmicrohttpd 0.9.75 accepts a bare LF for CR LF, joins folded lines, cuts a value at a NUL, and does not report it. But all
/// parts keep the addresses at which they were received. So there must be one blank between method, target and version, one
/// colon after a name, and two bytes at the end of each line. Anything else in a line changes one of these distances.
struct HeadLayout {
    private var end: Int
    private var isSound = true

    /// Starts with a request line.
    init(method: Range<Int>, target: Range<Int>, version: Range<Int>) {
        end = method.lowerBound
        expect(method, separator: 1)
        expect(target, separator: 1)
        expect(version, separator: 2)
    }

    /// Adds a field's line.
    ///
    /// - Parameters:
    ///   - name: The addresses of the name.
    ///   - value: The addresses of the value; blanks may come before it.
    mutating func add(name: Range<Int>, value: Range<Int>) {
        expect(name, separator: 1)
        isSound = isSound && value.lowerBound >= end
        end = value.upperBound &+ 2
    }

    /// Checks that the lines are separated correctly, and that the head ends with an empty line.
    ///
    /// - Parameter end: The address after the head.
    /// - Returns: True if both are correct.
    func isExact(endingAt end: Int) -> Bool { isSound && self.end &+ 2 == end }

    private mutating func expect(_ part: Range<Int>, separator: Int) {
        isSound = isSound && part.lowerBound == end
        end = part.upperBound &+ separator
    }
}
