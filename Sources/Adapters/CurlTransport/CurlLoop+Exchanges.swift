import CCurl
import HTTP1
import HTTPTransport
import Timestamps

// Reading answers, and how an exchange ends.

extension CurlLoop {
    /// Goes on with a connection whose socket is ready.
    func advance(_ connection: Connection, _ interest: Poller.Interest) {
        if interest.contains(.reading) {
            read(connection)
            guard connections[connection.slot] === connection else { return }
        }
        guard interest.contains(.writing), case .writing = connection.phase else { return }
        go(on: connection, after: connection.writeOn())
    }

    /// Reads what is there of an answer.
    ///
    /// An idle connection must have nothing to read: it has ended, or the server says what nobody asked for.
    func read(_ connection: Connection) {
        while true {
            let moved = connection.handle.receive(into: incoming)
            // Records of TLS that carry no bytes are well, with and without a request.
            if case .later = moved { return }
            guard connection.pending != nil else { return close(connection) }
            guard case .bytes(let count) = moved else { return lose(connection, moved) }
            let bytes = UnsafeRawBufferPointer(rebasing: incoming[..<count]).bindMemory(to: UInt8.self).span
            switch connection.parser.take(bytes) {
            case .whole: return succeed(connection)
            case .refused(let fault): return fail(connection, because: .unreadable(fault))
            // A record of TLS may lie in libcurl's memory already, of which the socket knows nothing.
            case .expected, .partial: continue
            }
        }
    }

    private func succeed(_ connection: Connection) {
        let response = connection.parser.takeResponse()
        var isOver = !connection.parser.mayBeReused
        // An early answer: nobody knows how much of the rest the server will read.
        if case .writing = connection.phase { isOver = true }
        guard let pending = connection.finish() else { return }
        connection.phase = .idle
        connection.answeredAt = now
        // The next probe is not to be answered by the same server again.
        if pending.exchange.isProbe, !(200..<300).contains(response.status) { isOver = true }
        if isOver || !pool.settle(slot: connection.slot, idleTime: connection.idleTime, now: now) {
            close(connection)
        }
        let took = now - connection.beganAt
        let result = HTTPExchangeResult(id: pending.exchange.id, result: .success(response), took: took)
        results.add(result, for: pending.receiver)
    }

    /// Ends a request whose connection has ended, or lets it go on another connection.
    ///
    /// A request that is not idempotent, and of which the server may have a byte, is not written again (RFC 9110,
    /// section 9.2.2): whether to send it again is the caller's decision.
    func lose(_ connection: Connection, _ moved: ConnectionHandle.Moved) {
        let isWithoutAnswer = connection.parser.state == .expected
        if !isWithoutAnswer, case .end = moved {
            connection.parser.takeEnd()
            if connection.parser.state == .whole { return succeed(connection) }
        }
        guard isWithoutAnswer, connection.wasUsed, let pending = connection.pending else {
            return fail(connection, because: connection.cause(moved))
        }
        // Idle ones have most likely ended too.
        closeIdle(of: connection.originNumber, openedBefore: connection.beganAt)
        if connection.mayHaveSent {
            guard pending.exchange.request.method.isIdempotent else {
                return fail(connection, because: .repeatRefused(detail: connection.failureText(moved)))
            }
            guard !pending.isRepeated else { return fail(connection, because: connection.cause(moved)) }
            pending.isRepeated = true
        }
        _ = connection.finish()
        close(connection)
        pool.prepend(pending, origin: connection.originNumber)
    }

    /// Ends a request without an answer, and its connection with it.
    func fail(_ connection: Connection, because cause: TransferFailure.Cause) {
        let mayHaveBeenReceived = connection.mayHaveSent
        guard let pending = connection.finish() else { return }
        close(connection)
        end(pending, because: cause, wasConnected: true, mayHaveBeenReceived: mayHaveBeenReceived)
    }

    /// Ends a request at once: by its answer, where that is there already.
    func endNow(_ connection: Connection, because cause: TransferFailure.Cause) {
        read(connection)
        if connections[connection.slot] === connection, connection.pending != nil { fail(connection, because: cause) }
    }

    /// Ends a request without an answer.
    func end(
        _ pending: PendingExchange,
        because cause: TransferFailure.Cause,
        wasConnected: Bool = false,
        mayHaveBeenReceived: Bool = false
    ) {
        let failure = TransferFailure(
            cause: cause,
            destination: pending.destination,
            proxy: ProxyRoute(configuration.proxy, isSecure: pending.address.address.origin.isSecure),
            wasConnected: wasConnected,
            mayHaveBeenReceived: mayHaveBeenReceived || pending.isRepeated
        )
        let result = HTTPExchangeResult(id: pending.exchange.id, result: .failure(failure.error(configuration)))
        results.add(result, for: pending.receiver)
    }
}

extension Connection {
    /// Why the request has no answer, when the connection ended like that.
    fileprivate func cause(_ moved: ConnectionHandle.Moved) -> TransferFailure.Cause {
        switch moved {
        case .failure(let code): .curl(code, detail: handle.lastErrorText)
        case .end where parser.state == .expected: .curl(CURLE_GOT_NOTHING, detail: "")
        case .end, .later, .bytes: .curl(CURLE_PARTIAL_FILE, detail: "")
        }
    }

    /// How long the connection may be idle, if the answer has `Keep-Alive`: a second less, so that no request meets its end.
    fileprivate var idleTime: Duration? {
        parser.keptSeconds.map { $0 > 1 ? .seconds($0 - 1) : .milliseconds($0 * 500) }
    }

    /// The system's or libcurl's words on how the connection failed; empty if the peer ended it in order.
    fileprivate func failureText(_ moved: ConnectionHandle.Moved) -> String {
        if case .failure = moved { handle.lastErrorText } else { "" }
    }
}
