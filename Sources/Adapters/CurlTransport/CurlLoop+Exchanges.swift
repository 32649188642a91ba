import CNewsflashCurl
import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashTimestamps

// Reads responses, and ends exchanges.

extension CurlLoop {
    /// Continues with a connection whose socket is ready.
    func advance(_ connection: Connection, _ interest: Poller.Interest) {
        if interest.contains(.reading) {
            read(connection)
            guard connections[connection.slot] === connection else { return }
        }
        guard interest.contains(.writing), case .writing = connection.phase else { return }
        go(on: connection, after: connection.writeOn())
    }

    /// Reads the available part of a response.
    ///
    /// An idle connection must have nothing to read: otherwise it has ended, or the server sends an unsolicited response.
    func read(_ connection: Connection) {
        while true {
            let moved = connection.handle.receive(into: incoming)
            // TLS records without bytes are allowed, with and without a request.
            if case .later = moved { return }
            guard connection.pending != nil else { return close(connection) }
            guard case .bytes(let count) = moved else { return lose(connection, moved) }
            let bytes = UnsafeRawBufferPointer(rebasing: incoming[..<count]).bindMemory(to: UInt8.self).span
            switch connection.parser.parse(bytes) {
            case .whole: return succeed(connection)
            case .refused(let fault): return fail(connection, because: .unreadable(fault))
            // libcurl may already have a TLS record in memory, which the socket does not signal.
            case .expected, .partial: continue
            }
        }
    }

    private func succeed(_ connection: Connection) {
        let response = connection.parser.removeResponse()
        var isOver = !connection.parser.mayBeReused
        // An early response: it is unknown how much of the rest the server will read.
        if case .writing = connection.phase { isOver = true }
        guard let pending = connection.finish() else { return }
        connection.phase = .idle
        connection.answeredAt = now
        // The next probe must not be answered by the same server again.
        if pending.exchange.isProbe, !(200..<300).contains(response.status) { isOver = true }
        if isOver || !pool.settle(slot: connection.slot, idleTime: connection.idleTime, now: now) {
            close(connection)
        }
        let took = now - connection.beganAt
        let result = HTTPExchangeResult(id: pending.exchange.id, result: .success(response), took: took)
        results.add(result, for: pending.receiver)
    }

    /// Fails a request whose connection has ended, or moves it to another connection.
    ///
    /// A request that is not idempotent, and of which the server may have received a byte, is not written again (RFC 9110,
    /// section 9.2.2): the caller decides whether to repeat it.
    func lose(_ connection: Connection, _ moved: ConnectionHandle.TransferResult) {
        let isWithoutAnswer = connection.parser.state == .expected
        if !isWithoutAnswer, case .end = moved {
            connection.parser.parseEnd()
            if connection.parser.state == .whole { return succeed(connection) }
        }
        guard isWithoutAnswer, connection.wasUsed, let pending = connection.pending else {
            return fail(connection, because: connection.cause(moved))
        }
        // Idle connections have probably ended, too.
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

    /// Fails a request, and closes its connection.
    func fail(_ connection: Connection, because cause: TransferFailure.Cause) {
        let mayHaveBeenReceived = connection.mayHaveSent
        guard let pending = connection.finish() else { return }
        close(connection)
        end(pending, because: cause, wasConnected: true, mayHaveBeenReceived: mayHaveBeenReceived)
    }

    /// Ends a request at once: with its response, if that has already arrived.
    func endNow(_ connection: Connection, because cause: TransferFailure.Cause) {
        read(connection)
        if connections[connection.slot] === connection, connection.pending != nil { fail(connection, because: cause) }
    }

    /// Ends a request without a response.
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
    /// Returns the reason for the missing response, if the connection ended in this way.
    fileprivate func cause(_ moved: ConnectionHandle.TransferResult) -> TransferFailure.Cause {
        switch moved {
        case .failure(let code): .curl(code, detail: handle.lastErrorText)
        case .end where parser.state == .expected: .curl(CURLE_GOT_NOTHING, detail: "")
        case .end, .later, .bytes: .curl(CURLE_PARTIAL_FILE, detail: "")
        }
    }

    /// How long the connection may be idle according to `Keep-Alive`: a second less, so that no request meets its closing.
    fileprivate var idleTime: Duration? {
        parser.keptSeconds.map { $0 > 1 ? .seconds($0 - 1) : .milliseconds($0 * 500) }
    }

    /// Returns the text of the system or libcurl for the failure; empty if the peer closed the connection properly.
    fileprivate func failureText(_ moved: ConnectionHandle.TransferResult) -> String {
        if case .failure = moved { handle.lastErrorText } else { "" }
    }
}
