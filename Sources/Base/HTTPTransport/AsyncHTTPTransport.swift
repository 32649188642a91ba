import NewsflashBasics

/// A transport around an asynchronous function: the HTTP client that your program already has.
///
/// ```swift
/// let transport = AsyncHTTPTransport { request in
///     print(request.method.rawValue, request.url)
///     return HTTPResponse(status: 201)
/// }
/// ```
///
/// The function is called once for each request, in a task of its own, which is cancelled with the call. If it throws an
/// ``HTTPTransportError``, the call fails with that; any other error means that the request may have been received, because it
/// is not known how far it got. So throw ``HTTPTransportError`` with ``HTTPTransportError/mayHaveBeenReceived`` `false` if no
/// connection was made: then the call is retried.
public final class AsyncHTTPTransport: HTTPTransport {
    private struct Key: Hashable {
        var receiver: ObjectIdentifier
        var id: UInt64
    }

    private let send: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let tasks = Locked<[Key: Task<Void, Never>]>([:])

    /// Creates a transport.
    ///
    /// - Parameter send: Sends a request and returns the response, with any status.
    public init(_ send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.send = send
    }

    /// Starts requests; see ``HTTPTransport``.
    public func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        for exchange in exchanges {
            let key = Key(receiver: ObjectIdentifier(receiver), id: exchange.id)
            // The task begins to run before it is stored, but it is removed under the same lock.
            tasks.withLock { tasks in
                tasks[key] = Task { [self] in
                    let result = await result(of: exchange)
                    self.tasks.withLock { $0[key] = nil }
                    receiver.receive([HTTPExchangeResult(id: exchange.id, result: result)])
                }
            }
        }
    }

    /// Cancels the tasks of requests; see ``HTTPTransport``.
    public func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        for id in ids {
            let task = tasks.withLock { $0[Key(receiver: ObjectIdentifier(receiver), id: id)] }
            task?.cancel()
        }
    }

    private func result(of exchange: HTTPExchange) async -> Result<HTTPResponse, HTTPTransportError> {
        if Task.isCancelled {
            return .failure(HTTPTransportError(.cancelled, "cancelled before it began", mayHaveBeenReceived: false))
        }
        if let end = exchange.notAfter, end < .now {
            return .failure(HTTPTransportError(.notSentInTime, "too late to begin", mayHaveBeenReceived: false))
        }
        do {
            return .success(try await send(exchange.request))
        } catch let error as HTTPTransportError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(HTTPTransportError(.cancelled, "the request was cancelled", mayHaveBeenReceived: true))
        } catch {
            // The error may contain parts of the request.
            let name = String(describing: type(of: error))
            return .failure(
                HTTPTransportError(.other, "the HTTP client failed with \(name)", mayHaveBeenReceived: true)
            )
        }
    }
}
