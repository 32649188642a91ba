package import Timestamps

/// Sends requests and brings their answers, many at a time.
///
/// Requests are independent; they end in any order. Results come back in batches on the transport's own thread: take
/// them and leave.
public protocol HTTPTransport: Sendable {
    /// Starts requests.
    ///
    /// Every exchange ends with exactly one result, also when the transport is shut down.
    ///
    /// - Parameters:
    ///   - exchanges: Requests with the numbers under which their results come back.
    ///   - receiver: Kept until the last of them has ended.
    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver)

    /// Ends requests as soon as possible.
    ///
    /// Each of them still ends with exactly one result: the answer where it is there already, else
    /// ``HTTPTransportError/Code/cancelled``, whose ``HTTPTransportError/mayHaveBeenReceived`` is false where nothing was
    /// written. Numbers that are not under way are passed over. A transport that cannot do it lets the requests end by
    /// themselves.
    ///
    /// - Parameters:
    ///   - ids: Numbers given at the start.
    ///   - receiver: The one given at the start; another's requests under the same numbers go on.
    func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver)

    /// Lets kept connections to a server carry no further request, because the server no longer serves us: its name may have
    /// another address by now.
    ///
    /// Requests that are under way are answered. A transport that keeps no connections does nothing.
    ///
    /// - Parameter url: Of a request to the server.
    func renewConnections(to url: String)
}

extension HTTPTransport {
    /// Does nothing: the requests end by themselves.
    public func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {}

    /// Does nothing: the connections are somebody else's.
    public func renewConnections(to url: String) {}
}

/// A request with a number of the caller's choice.
public struct HTTPExchange: Sendable {
    /// Comes back with the result; unique among what is under way from one receiver.
    public var id: UInt64
    /// What to send.
    public var request: HTTPRequest
    /// When it is too late to begin with writing it: a request that nobody stands for any more ends with
    /// ``HTTPTransportError/Code/notSentInTime``. Nil for never.
    public var notAfter: ContinuousClock.Instant? {
        get { lastInstant?.clocks }
        set { lastInstant = newValue.map { Instant($0) } }
    }
    /// Whether it asks whether the server works again: its connection is kept only if the answer is a success, so that the next
    /// probe opens another, to the address that the name has then.
    public var isProbe: Bool
    /// The same as ``notAfter``, of a size that is known before the program runs.
    package private(set) var lastInstant: Instant?

    /// Pairs a request with a number.
    ///
    /// - Parameters:
    ///   - id: Comes back with the result.
    ///   - request: What to send.
    ///   - notAfter: When it is too late to begin with writing it.
    ///   - isProbe: Whether it asks whether the server works again.
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

/// How one exchange ended.
public struct HTTPExchangeResult: Sendable {
    /// The number given at the start.
    public var id: UInt64
    /// The answer, or why there is none.
    public var result: Result<HTTPResponse, HTTPTransportError>
    /// From the first written byte of the request to the answer; nil where there is none, or the transport does not tell.
    public var took: Duration?

    /// Pairs a result with its number.
    ///
    /// - Parameters:
    ///   - id: The number given at the start.
    ///   - result: The answer, or why there is none.
    ///   - took: From the first written byte of the request to the answer.
    public init(id: UInt64, result: Result<HTTPResponse, HTTPTransportError>, took: Duration? = nil) {
        self.id = id
        self.result = result
        self.took = took
    }
}

/// Takes results in batches.
public protocol HTTPResultReceiver: AnyObject, Sendable {
    /// Takes the results that came together.
    ///
    /// Called on the transport's thread, which sends nothing meanwhile: hand the batch over and return.
    ///
    /// - Parameter results: One for each ended exchange.
    func receive(_ results: [HTTPExchangeResult])
}
