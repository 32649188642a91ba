package import NewsflashTimestamps

/// Sends requests concurrently and returns their responses.
///
/// Requests are independent and end in any order. Results are delivered in batches on the transport's own thread, so a receiver
/// must return quickly.
public protocol HTTPTransport: Sendable {
    /// Starts requests.
    ///
    /// Every exchange ends with exactly one result, also if the transport is shut down.
    ///
    /// - Parameters:
    ///   - exchanges: The requests, with the IDs of their results.
    ///   - receiver: The receiver of the results; retained until the last exchange has ended.
    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver)

    /// Cancels requests as soon as possible.
    ///
    /// Each of them still ends with exactly one result: the response if it has already arrived, otherwise
    /// ``HTTPTransportError/Code/cancelled``, whose ``HTTPTransportError/mayHaveBeenReceived`` is false if nothing was written.
    /// IDs that are not in flight are ignored. A transport that does not support cancellation lets the requests finish.
    ///
    /// - Parameters:
    ///   - ids: IDs passed to `start`.
    ///   - receiver: The receiver passed to `start`; requests of other receivers with the same IDs continue.
    func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver)

    /// Stops the use of open connections to a server for further requests, because the server no longer serves us: its name may
    /// have another address now.
    ///
    /// Requests in flight are completed. A transport without persistent connections does nothing.
    ///
    /// - Parameter url: The URL of a request to the server.
    func renewConnections(to url: String)
}

extension HTTPTransport {
    /// Does nothing: the requests finish normally.
    public func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {}

    /// Does nothing: the transport does not manage connections.
    public func renewConnections(to url: String) {}
}

/// A request with an ID chosen by the caller.
public struct HTTPExchange: Sendable {
    /// The ID of the result; unique among the exchanges in flight of one receiver.
    public var id: UInt64
    /// The request.
    public var request: HTTPRequest
    /// The time after which the request must not be started. A request that is too late ends with
    /// ``HTTPTransportError/Code/notSentInTime``. `nil` means no limit.
    public var notAfter: ContinuousClock.Instant? {
        get { lastInstant?.clocks }
        set { lastInstant = newValue.map { Instant($0) } }
    }
    /// Whether the request probes if the server works again. Its connection is kept only if the response is a success, so that
    /// the
    /// next probe opens a new connection, to the current address of the name.
    public var isProbe: Bool
    /// ``notAfter`` in a form whose size is known at compile time.
    package private(set) var lastInstant: Instant?

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - id: The ID of the result.
    ///   - request: The request.
    ///   - notAfter: The time after which the request must not be started.
    ///   - isProbe: Whether the request probes if the server works again.
    public init(
        id: UInt64,
        request: HTTPRequest,
        notAfter: ContinuousClock.Instant? = nil,
        isProbe: Bool = false
    ) {
        self.id = id
        self.request = request
        self.isProbe = isProbe
        self.lastInstant = notAfter.map { Instant($0) }
    }
}

/// The result of one exchange.
public struct HTTPExchangeResult: Sendable {
    /// The ID of the exchange.
    public var id: UInt64
    /// The response, or the error.
    public var result: Result<HTTPResponse, HTTPTransportError>
    /// The time from the first written byte of the request to the response; `nil` if there is no response, or if the transport
    /// does
    /// not measure it.
    public var took: Duration?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - id: The ID of the exchange.
    ///   - result: The response, or the error.
    ///   - took: The time from the first written byte of the request to the response.
    public init(id: UInt64, result: Result<HTTPResponse, HTTPTransportError>, took: Duration? = nil) {
        self.id = id
        self.result = result
        self.took = took
    }
}

/// Receives results in batches.
public protocol HTTPResultReceiver: AnyObject, Sendable {
    /// Receives the results of ended exchanges.
    ///
    /// Called on the transport's thread, which does nothing else meanwhile: enqueue the batch and return.
    ///
    /// - Parameter results: One result for each ended exchange.
    func receive(_ results: [HTTPExchangeResult])
}

extension Instant {
    /// The same time on both clocks. Our clock was read first, so converted instants are rather too early than too late.
    private static let reference = (own: Instant.now, clocks: ContinuousClock.now)

    /// Converts an instant; the result may be earlier by the time between the two clock readings of ``reference``.
    init(_ instant: ContinuousClock.Instant) {
        self = Self.reference.own + Self.reference.clocks.duration(to: instant)
    }

    /// The instant passed to ``init(_:)``.
    var clocks: ContinuousClock.Instant {
        Self.reference.clocks + (self - Self.reference.own)
    }
}
