import Locks

extension HTTPTransport {
    /// Sends one request and waits for its answer. Ends the request when the task is cancelled.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, of whatever status.
    /// - Throws: ``HTTPTransportError`` without an answer.
    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        try await result(of: request).get()
    }

    /// Sends one request and waits for its result; ends it when the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - notAfter: When it is too late to begin with writing it.
    /// - Returns: What the transport brought: after a cancellation too, since only that tells whether the request went out.
    package func result(
        of request: HTTPRequest,
        notAfter: ContinuousClock.Instant? = nil
    ) async -> Result<HTTPResponse, HTTPTransportError> {
        let exchange = CancellableExchange(transport: self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.start(request, notAfter: notAfter, continuation)
            }
        } onCancel: {
            exchange.cancel()
        }
    }
}

/// One request under way, which its task may end.
private final class CancellableExchange: HTTPResultReceiver {
    private struct State {
        var continuation: CheckedContinuation<Result<HTTPResponse, HTTPTransportError>, Never>?
        var isStarted = false
        var isCancelled = false
    }

    private static let id: UInt64 = 0

    private let transport: any HTTPTransport
    private let state = Locked(State())

    init(transport: any HTTPTransport) {
        self.transport = transport
    }

    func start(
        _ request: HTTPRequest,
        notAfter: ContinuousClock.Instant?,
        _ continuation: CheckedContinuation<Result<HTTPResponse, HTTPTransportError>, Never>
    ) {
        state.withLock { $0.continuation = continuation }
        transport.start([HTTPExchange(id: Self.id, request: request, notAfter: notAfter)], receiver: self)
        // The task may have been cancelled meanwhile, when there was nothing for the transport to end.
        let isCancelled = state.withLock { state in
            state.isStarted = true
            return state.isCancelled
        }
        if isCancelled { transport.cancel([Self.id], receiver: self) }
    }

    func cancel() {
        let isStarted = state.withLock { state in
            state.isCancelled = true
            return state.isStarted
        }
        if isStarted { transport.cancel([Self.id], receiver: self) }
    }

    func receive(_ results: [HTTPExchangeResult]) {
        guard let result = results.first else { return }
        let continuation = state.withLock { $0.continuation.take() }
        continuation?.resume(returning: result.result)
    }
}
