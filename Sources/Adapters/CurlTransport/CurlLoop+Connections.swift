import CNewsflashCurl
import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashTimestamps

// Opens and closes connections, and assigns requests to them.

extension CurlLoop {
    /// Sends waiting requests on free connections, and opens others within the limits.
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
            // libcurl begins to connect when its timer fires.
            guard connector.nextCheck != nil, connector.advanceClock(.now) else { return }
            adoptConnections()
        } while true
    }

    private func open(_ slot: Int, _ number: Int) {
        while connections.count <= slot { connections.append(nil) }
        guard let origin = addresses.origin(number), let handle = ConnectionHandle(origin, configuration),
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

    /// Adopts the connections that libcurl has opened, and fails a request for each that it could not open.
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
        // The first read binds the connection to its handle: libcurl searches unbound connections for dead ones. Unsolicited
        // bytes are an error.
        guard case .later = connection.handle.receive(into: incoming) else { return false }
        connection.handle.begin(on: socket, acknowledgedWithin: configuration.acknowledgementTimeout)
        if !pool.settle(slot: connection.slot, now: now) { close(connection) }
        return true
    }

    /// Closes a connection that carries no request.
    func closeIdle(_ slot: Int) {
        if let connection = connections[slot] { close(connection) }
    }

    /// Closes the idle connections to an origin whose opening began before a time.
    func closeIdle(of origin: Int, openedBefore end: Instant) {
        for slot in pool.idleSlots(origin: origin, openedBefore: end) { closeIdle(slot) }
    }

    /// Closes a connection that no longer has a request.
    func close(_ connection: Connection) {
        opening[connection.handle.pointer] = nil
        if connection.socket >= 0 { poller.forget(connection.socket) }
        connector.close(connection.handle)
        connections[connection.slot] = nil
        pool.remove(slot: connection.slot)
    }

    // MARK: Requests

    private func begin(_ pending: PendingExchange, on connection: Connection) {
        // Not the time of the turn: the process may have been suspended since the turn began.
        if let notAfter = pending.exchange.lastInstant, notAfter < .now {
            end(pending, because: .tooLate)
            if !pool.giveBack(slot: connection.slot, now: now) { close(connection) }
            return
        }
        // Its socket was not checked since the response in this turn: the server may have closed the connection after it.
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
        scheduleDeadlineCheck(by: now + configuration.firstByteTimeout)
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
            // The server may have responded before it stopped reading.
            read(connection)
            if connections[connection.slot] === connection, connection.pending != nil { lose(connection, moved) }
        }
    }
}
