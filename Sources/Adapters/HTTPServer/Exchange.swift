internal import CMicroHTTPD
internal import Locks

// Unchecked, because all but the locks is touched in libmicrohttpd's callbacks only, which come one after another.
/// One request and its answer, from the request line until libmicrohttpd says that it is over.
///
/// libmicrohttpd holds a reference from the first callback for the request to the last.
final class Exchange: @unchecked Sendable {
    private enum Phase {
        /// The request line has been received, no more.
        case begun
        /// A task decides by the head; the connection is suspended.
        case deciding
        /// The body is being received.
        case receiving(limit: Int, handler: @Sendable (HTTPServerRequest) -> HTTPServerReply)
        /// The body is dropped; the reply follows it.
        case dropping(HTTPServerReply)
        /// A task makes the answer; the connection is suspended.
        case working
        /// The answer is queued.
        case answered
    }

    /// How many bytes of a body are read to be dropped: reading them costs less than a new connection.
    private static let mostDropped = 64 << 10

    let gate: ConnectionGate
    /// Names the connection among the open ones.
    let id: OpenConnections.Ages.ID?
    private let connection: OpaquePointer
    private let targetLength: Int
    private var request: HTTPServerRequest
    private var layout: HeadLayout?
    private var framing = BodyFraming.length(0)
    /// How many bytes of the server's budget this body has.
    private var reserved = 0
    private var received = 0
    private var phase = Phase.begun
    private var mustClose = false
    private var task: Task<Void, Never>?
    private var stream: StreamBody?
    private let decision = Locked<HTTPServerDecision?>(nil)
    private let answer = Locked<HTTPServerResponse?>(nil)

    /// Begins with a request line.
    ///
    /// - Parameters:
    ///   - target: As sent; nothing is made of none.
    ///   - connection: Lives until ``end(core:)``.
    ///   - id: Names the connection.
    ///   - gate: Suspends and resumes the connection.
    init(target: UnsafePointer<CChar>?, connection: OpaquePointer, id: OpenConnections.Ages.ID?, gate: ConnectionGate) {
        self.id = id
        self.connection = connection
        self.gate = gate
        targetLength = target.map { cmhd_length($0) } ?? 0
        request = HTTPServerRequest(method: "", target: target.map { String(cString: $0) } ?? "")
    }

    /// The parts of the request line that libmicrohttpd hands over with each call.
    struct Line {
        var method: UnsafePointer<CChar>?
        /// The target, cut at its question mark.
        var target: UnsafePointer<CChar>?
        var version: UnsafePointer<CChar>?
    }

    /// Answers a call of libmicrohttpd for this request.
    ///
    /// - Parameters:
    ///   - line: The request line.
    ///   - piece: The next bytes of the body; empty with the call for the head and the one at the end.
    ///   - core: Has the limits, the handler and the tasks.
    /// - Returns: False to cut the connection.
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
            // libmicrohttpd accepts no answer within a body, so its end must come first.
            received += piece.count
            return received <= Self.mostDropped
        case .dropping(let reply): return perform(reply, core: core)
        case .working:
            // As for a decision.
            guard let response = answer.withLock({ $0.take() }) else { return false }
            return queue(response, core: core)
        case .answered: return true
        }
    }

    /// Lets go of everything: the answer is sent, or the client or the server is gone.
    func end(core: ServerCore) {
        gate.close()
        stream?.close()
        task?.cancel()
        core.bodies.withLock { $0.giveBack(reserved) }
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
        // libmicrohttpd 0.9.75 accepts a bare LF in the lines between chunks: two readers may find two ends of such a body.
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
            guard core.bodies.withLock({ $0.take(bytes) }) else {
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

    /// Answers in place of a body that is not wanted.
    private func answer(_ reply: HTTPServerReply, core: ServerCore) -> Bool {
        // Before the end of a request libmicrohttpd takes an answer for the last: it reads no more, and closes the connection.
        guard case .length(let length) = framing, length <= Self.mostDropped,
            length == 0 || request.first(named: "Expect") == nil
        else { return perform(reply, core: core) }
        phase = .dropping(reply)
        return true
    }

    private func receive(_ piece: UnsafeRawBufferPointer, limit: Int, core: ServerCore) -> Bool {
        received += piece.count
        if received <= limit {
            // At once, because a body that grows takes up to twice its length.
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
                // What a handler says when it is told to give up is no answer: the connection is cut without one.
                if !Task.isCancelled { answer.withLock { $0 = response } }
            }
        }
    }

    /// Suspends the connection until work is done.
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
            HalfAnswer(response, isHead: request.method == "HEAD").write(to: connection)
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

/// Text from a pointer and a length; empty if libmicrohttpd gives none.
private func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}

/// The place of bytes in memory.
private func place(_ start: UnsafePointer<CChar>?, _ length: Int) -> Range<Int> {
    let start = start.map { Int(bitPattern: $0) } ?? 0
    return start..<start + length
}
