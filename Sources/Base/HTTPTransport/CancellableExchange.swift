import NewsflashBasics

extension HTTPTransport {
    /// Sends a request and waits for its response. Ends the request if the task is cancelled.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, with any status.
    /// - Throws: ``HTTPTransportError`` if there is no response.
    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        try await result(of: request).get()
    }

    /// Sends a request and waits for its result; ends it if the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - notAfter: The time after which the request must not be started.
    /// - Returns: The transport's result, also after a cancellation, because only the result shows whether the request was
    ///   sent.
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

/// A request in flight that its task may cancel.
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
        // If the task was cancelled before the start, the transport had nothing to cancel yet.
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
