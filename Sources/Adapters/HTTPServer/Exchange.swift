internal import CMicroHTTPD
internal import Locks

// Unchecked, because all but the lock is touched in libmicrohttpd's callbacks only, which come one after another.
/// One request and its answer, from the request line until libmicrohttpd says that it is over.
///
/// libmicrohttpd holds a reference from the first callback for the request to the last.
final class Exchange: @unchecked Sendable {
    /// What the handler has to be told, or has told.
    private enum Phase {
        /// The request line is there, no more.
        case begun
        /// The head is there; the body is coming.
        case receiving
        /// The body turned out larger than allowed: the rest is dropped, and 413 is the answer.
        case dropping
        /// A task makes the answer; the connection is suspended.
        case working
        /// The answer is handed over.
        case answered
    }

    let gate: ConnectionGate
    /// Names the connection among the open ones.
    let id: OpenConnections.Ages.ID?
    private let connection: OpaquePointer
    private let target: String
    private var method = ""
    private var headers: [(name: String, value: String)] = []
    private var body: [UInt8] = []
    private var received = 0
    private var phase = Phase.begun
    private var task: Task<Void, Never>?
    private var stream: StreamBody?
    private let answer = Locked<HTTPServerResponse?>(nil)

    init(target: String, connection: OpaquePointer, id: OpenConnections.Ages.ID?, gate: ConnectionGate) {
        self.id = id
        self.target = target
        self.connection = connection
        self.gate = gate
    }

    /// Answers a call of libmicrohttpd for this request.
    ///
    /// - Parameters:
    ///   - method: From the request line.
    ///   - piece: The next bytes of the body; empty with the call for the head and the one at the end.
    ///   - core: Knows the limits, the handler and the tasks.
    /// - Returns: False to cut the connection.
    func proceed(method: UnsafePointer<CChar>?, piece: UnsafeRawBufferPointer, core: ServerCore) -> Bool {
        switch phase {
        case .begun:
            self.method = method.map { String(cString: $0) } ?? ""
            return receiveHead(core: core)
        case .receiving where !piece.isEmpty:
            received += piece.count
            if received <= core.maximumBodyBytes {
                body.append(contentsOf: piece)
            } else {
                body = []
                phase = .dropping
            }
            return true
        case .receiving:
            return handle(core: core)
        case .dropping where !piece.isEmpty:
            // libmicrohttpd takes no answer amid a body; so wait for its end, but not for long.
            received += piece.count
            return received <= 2 * core.maximumBodyBytes
        case .dropping:
            return refuse(core: core)
        case .working:
            // Called again without an answer: the server is stopping, or the client has gone.
            guard let response = answer.withLock({ $0.take() }) else { return false }
            return queue(response, core: core)
        case .answered:
            return true
        }
    }

    /// Lets go of everything: the answer is sent, or the client or the server is gone.
    func end() {
        gate.close()
        stream?.close()
        task?.cancel()
    }

    private func receiveHead(core: ServerCore) -> Bool {
        phase = .receiving
        let context = Unmanaged.passUnretained(self).toOpaque()
        MHD_get_connection_values_n(
            connection,
            .HEADER_KIND,
            { context, _, name, nameLength, value, valueLength in
                guard let context else { return .NO }
                let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                exchange.headers.append((text(name, nameLength), text(value, valueLength)))
                return .YES
            },
            context
        )
        let announced = MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
            .flatMap { UInt64(String(cString: $0)) }
        if let announced, announced > UInt64(core.maximumBodyBytes) { return refuse(core: core) }
        return true
    }

    /// Answers 413; libmicrohttpd reads no body after it and closes the connection.
    private func refuse(core: ServerCore) -> Bool {
        phase = .answered
        core.connections.move(id, to: .sending)
        let client = ClientAddress(cmhd_client(connection))
        let head = HTTPServerRequest(method: method, target: target, headers: headers, client: client)
        return MHDResponse(core.tooLarge(head), stream: nil).queue(on: connection)
    }

    private func handle(core: ServerCore) -> Bool {
        core.connections.move(id, to: .answering)
        let client = ClientAddress(cmhd_client(connection))
        let request = HTTPServerRequest(
            method: method,
            target: target,
            headers: headers,
            body: body,
            client: client
        )
        body = []
        switch core.handler(request) {
        case .now(let response):
            return queue(response, core: core)
        case .abort:
            return false
        case .later(let work):
            phase = .working
            guard gate.suspend() else { return false }
            core.connections.wait(id, behind: gate)
            task = core.tasks.start { [self] in
                let response = await work()
                // What a handler says when it is told to give up is no answer: the connection is cut without one.
                if !Task.isCancelled { answer.withLock { $0 = response } }
                gate.resume()
            }
            if task == nil { gate.resume() }
            return true
        }
    }

    private func queue(_ response: HTTPServerResponse, core: ServerCore) -> Bool {
        phase = .answered
        switch response.cut {
        case .unanswered: return false
        case .halfway:
            HalfAnswer(response, isHead: method == "HEAD").write(to: connection)
            return false
        case nil: break
        }
        var isStream = false
        if case .stream(let pieces) = response.body, method != "HEAD" {
            isStream = true
            let stream = StreamBody(gate: gate)
            self.stream = stream
            task = core.tasks.start { await stream.pump(pieces) }
        }
        core.connections.move(id, to: isStream ? .streaming : .sending)
        return MHDResponse(response, stream: stream).queue(on: connection)
    }
}

/// Text from a pointer and a length; nothing where libmicrohttpd gives none.
private func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}
