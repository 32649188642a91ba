import NewsflashBasics
import NewsflashStrictJSON

/// Subscribers of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
final class EventStreams: Sendable {
    /// One event.
    struct StreamEvent: Sendable {
        var name: String
        var data: [UInt8]

        init(_ name: String, _ write: (inout JSONWriter) -> Void) {
            var writer = JSONWriter()
            write(&writer)
            self.name = name
            self.data = writer.bytes
        }

        /// The encoded event; JSON contains no line breaks.
        var bytes: [UInt8] { Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8) }
    }

    private struct State {
        var streams: [UInt64: AsyncStream<[UInt8]>.Continuation] = [:]
        var lastID: UInt64 = 0
        var heartbeat: Task<Void, Never>?
    }

    /// The interval of the heartbeat, which shows that the stream is alive and detects disconnected clients.
    private static let beat = Duration.seconds(15)
    /// The maximum number of buffered events. The stream of a slower client ends after these; its client reconnects and
    /// requests what it missed.
    private static let mostBuffered = 512

    private let state = Locked(State())

    /// Whether there are no subscribers.
    var isEmpty: Bool { state.withLock { $0.streams.isEmpty } }

    /// Opens a stream. It ends when its client disconnects or with ``finish()``.
    func open() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(Self.mostBuffered)
        )
        let id = state.withLock { state in
            state.lastID += 1
            state.streams[state.lastID] = continuation
            if state.heartbeat == nil { state.heartbeat = makeHeartbeat() }
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in self?.close(id) }
        continuation.yield(Array("retry: 1000\n: connected\n\n".utf8))
        return stream
    }

    /// Sends events to all subscribers.
    func send(_ events: [StreamEvent]) {
        guard !events.isEmpty else { return }
        let bytes = events.flatMap(\.bytes)
        for stream in state.withLock({ Array($0.streams.values) }) {
            if case .dropped = stream.yield(bytes) { stream.finish() }
        }
    }

    /// Ends all streams.
    func finish() {
        let streams = state.withLock { state in
            state.heartbeat?.cancel()
            state.heartbeat = nil
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }

    private func close(_ id: UInt64) {
        state.withLock { state in
            state.streams[id] = nil
            guard state.streams.isEmpty else { return }
            state.heartbeat?.cancel()
            state.heartbeat = nil
        }
    }

    private func makeHeartbeat() -> Task<Void, Never> {
        Task.detached { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.beat)
                guard !Task.isCancelled, let self else { return }
                for stream in self.state.withLock({ Array($0.streams.values) }) { stream.yield(Array(": \n\n".utf8)) }
            }
        }
    }
}

extension HubNotices {
    /// Converts the notices to events.
    func events(of hub: EmulatedHub, faults: FaultSet) -> [EventStreams.StreamEvent] {
        var events: [EventStreams.StreamEvent] = []
        if reset { events.append(.init("reset") { $0.emptyObject() }) }
        for sequence in sends.sorted() {
            guard let record = hub.log[sequence] else { continue }
            events.append(.init("send") { record.write(to: &$0) })
        }
        if deliveries {
            events.append(
                .init("deliveries") { writer in
                    writer.beginObject()
                    writer.member("last", hub.deliveries.last)
                    writer.endObject()
                }
            )
        }
        if self.faults {
            events.append(.init("faults") { FaultWriter.write(faults, to: &$0) })
        }
        return events
    }
}

extension JSONWriter {
    fileprivate mutating func emptyObject() {
        beginObject()
        endObject()
    }
}
