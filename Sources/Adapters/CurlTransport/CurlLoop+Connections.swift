import CCurl
import HTTP1
import HTTPTransport
import Timestamps

// Opening and closing connections, and which request goes on which.

extension CurlLoop {
    /// Sends what waits on connections that are free, and opens others as far as they are allowed.
    func placeRequests() {
        repeat {
            while let action = pool.next(now: now) {
                switch action {
                case .use(let slot, let pending):
                    guard let connection = connections[slot] else {
                        pool.remove(slot: slot)
                        end(pending, because: .curl(CURLE_FAILED_INIT, detail: ""))
                        continue
                    }
                    begin(pending, on: connection)
                case .open(let slot, let origin): open(slot, origin)
                case .close(let slot): closeIdle(slot)
                }
            }
            // libcurl begins to connect by its clock.
            guard connector.nextCheck != nil, connector.advanceClock(.now) else { return }
            adoptConnections()
        } while true
    }

    private func open(_ slot: Int, _ number: Int) {
        while connections.count <= slot { connections.append(nil) }
        guard let origin = book.origin(number), let handle = ConnectionHandle(origin, configuration),
            connector.open(handle)
        else {
            if let first = pool.openingFailed(slot: slot) { end(first, because: .curl(CURLE_FAILED_INIT, detail: "")) }
            return
        }
        connectionsMade &+= 1
        let connection = Connection(
            handle,
            slot: slot,
            number: connectionsMade,
            origin: (origin, number),
            maximumResponseBytes: configuration.maximumResponseBytes,
            now: now
        )
        connections[slot] = connection
        opening[handle.pointer] = connection
    }

    /// Takes over what libcurl has opened, and ends a request for each connection that it could not open.
    func adoptConnections() {
        while let (pointer, code) = connector.nextEnded() {
            guard let connection = opening.removeValue(forKey: pointer) else { continue }
            if code == CURLE_OK, let socket = connection.handle.socket, adopt(connection, socket) { continue }
            let cause = TransferFailure.Cause.curl(
                code == CURLE_OK ? CURLE_COULDNT_CONNECT : code,
                detail: connection.handle.lastErrorText
            )
            let first = pool.openingFailed(slot: connection.slot)
            close(connection)
            if let first { end(first, because: cause) }
        }
    }

    private func adopt(_ connection: Connection, _ socket: Int32) -> Bool {
        connector.release(socket)
        guard poller.watch(socket, for: .reading, as: connection.source) else { return false }
        connection.socket = socket
        connection.phase = .idle
        // The first read binds the connection to its handle: libcurl looks through those that are not bound for dead ones.
        // Bytes that nobody asked for are no good beginning.
        guard case .later = connection.handle.receive(into: incoming) else { return false }
        connection.handle.begin(on: socket, acknowledgedWithin: configuration.acknowledgementTimeout)
        if !pool.settle(slot: connection.slot, now: now) { close(connection) }
        return true
    }

    /// Closes a connection that carries no request.
    func closeIdle(_ slot: Int) {
        if let connection = connections[slot] { close(connection) }
    }

    /// Closes the idle connections to an origin that are older than an instant.
    func closeIdle(of origin: Int, openedBefore end: Instant) {
        for slot in pool.idleSlots(origin: origin, openedBefore: end) { closeIdle(slot) }
    }

    /// Ends a connection, which has no request any more.
    func close(_ connection: Connection) {
        opening[connection.handle.pointer] = nil
        if connection.socket >= 0 { poller.forget(connection.socket) }
        connector.close(connection.handle)
        connections[connection.slot] = nil
        pool.remove(slot: connection.slot)
    }

    // MARK: Requests

    private func begin(_ pending: PendingExchange, on connection: Connection) {
        if let notAfter = pending.exchange.lastInstant, notAfter < now {
            end(pending, because: .tooLate)
            if !pool.giveBack(slot: connection.slot, now: now) { close(connection) }
            return
        }
        // Its socket was not looked at since the answer of this turn: the server may have closed the connection behind it.
        if connection.answeredAt == now {
            guard case .later = connection.handle.receive(into: incoming) else {
                close(connection)
                pool.prepend(pending, origin: connection.originNumber)
                return
            }
        }
        outgoing.removeAll(keepingCapacity: true)
        RequestWriter.appendHead(
            of: pending.exchange.request,
            framing: pending.framing,
            address: pending.address.address,
            agentLine: agentLine,
            to: &outgoing
        )
        let body = pending.exchange.request.body
        if body.count <= Connection.maximumCopiedBody { outgoing += body }
        connection.begin(pending, now: now)
        lookAtDeadlines(by: now + configuration.firstByteTimeout)
        go(on: connection, after: connection.write(&outgoing))
    }

    func go(on connection: Connection, after progress: Connection.Progress) {
        switch progress {
        case .written:
            if connection.isWatchedForWriting {
                poller.change(connection.socket, to: .reading, as: connection.source)
                connection.isWatchedForWriting = false
            }
            connection.phase = .reading
        case .blocked:
            guard !connection.isWatchedForWriting else { return }
            poller.change(connection.socket, to: [.reading, .writing], as: connection.source)
            connection.isWatchedForWriting = true
        case .failed(let moved):
            // The server may have answered before it stopped reading.
            read(connection)
            if connections[connection.slot] === connection, connection.pending != nil { lose(connection, moved) }
        }
    }
}
