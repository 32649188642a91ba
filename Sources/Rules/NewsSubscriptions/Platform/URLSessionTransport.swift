#if canImport(Darwin)
import Foundation
public import NewsflashHTTPTransport
import NewsflashBasics

/// A transport that uses `URLSession`.
///
/// It keeps no cookies and no cache, and follows no redirect, so that a request with a password never reaches another server.
///
/// ```swift
/// let registrar = try Registrar.hub(connection: listen, name: "newsdesk", transport: URLSessionTransport())
/// ```
public final class URLSessionTransport: HTTPTransport {
    private struct Key: Hashable {
        var receiver: ObjectIdentifier
        var id: UInt64
    }

    private let session: URLSession
    private let tasks = Locked<[Key: URLSessionDataTask]>([:])

    /// Creates a transport with its own session.
    ///
    /// ```swift
    /// let transport = URLSessionTransport(timeout: .seconds(10))
    /// ```
    ///
    /// - Parameter timeout: The time limit of a whole exchange.
    public init(timeout: Duration = .seconds(30)) {
        let configuration = URLSessionConfiguration.ephemeral
        // Zero would mean Foundation's default.
        let seconds = max(timeout / .seconds(1), 0.001)
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    deinit {
        // The session keeps its delegate until then. Running requests finish normally.
        session.finishTasksAndInvalidate()
    }

    /// Starts requests; callers use `try await transport.send(request)`.
    ///
    /// - Parameters:
    ///   - exchanges: Requests with the numbers that identify their results.
    ///   - receiver: Retained until the last of them has ended.
    public func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        for exchange in exchanges { start(exchange, receiver) }
    }

    /// Cancels requests: `transport.cancel([1, 2], receiver: receiver)`.
    ///
    /// - Parameters:
    ///   - ids: The numbers given at the start.
    ///   - receiver: The receiver given at the start.
    public func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        for id in ids {
            tasks.withLock { $0[Key(receiver: ObjectIdentifier(receiver), id: id)] }?.cancel()
        }
    }

    private func start(_ exchange: HTTPExchange, _ receiver: any HTTPResultReceiver) {
        func end(_ error: HTTPTransportError) {
            receiver.receive([HTTPExchangeResult(id: exchange.id, result: .failure(error))])
        }
        if let notAfter = exchange.notAfter, ContinuousClock.now > notAfter {
            return end(.init(.notSentInTime, "the deadline passed before the start", mayHaveBeenReceived: false))
        }
        guard let url = URL(string: exchange.request.url) else {
            return end(.init(.invalidRequest, "the URL of the request is invalid", mayHaveBeenReceived: false))
        }
        var request = URLRequest(url: url)
        request.httpMethod = exchange.request.method.rawValue
        for field in exchange.request.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if !exchange.request.body.isEmpty { request.httpBody = Data(exchange.request.body) }
        let key = Key(receiver: ObjectIdentifier(receiver), id: exchange.id)
        let task = session.dataTask(with: request) { [self] data, response, error in
            _ = tasks.withLock { $0.removeValue(forKey: key) }
            let result = Self.result(data, response, error)
            receiver.receive([HTTPExchangeResult(id: exchange.id, result: result)])
        }
        tasks.withLock { $0[key] = task }
        task.resume()
    }

    private static func result(
        _ data: Data?,
        _ response: URLResponse?,
        _ error: (any Error)?
    ) -> Result<HTTPResponse, HTTPTransportError> {
        guard let response = response as? HTTPURLResponse else { return .failure(transportError(error)) }
        if let error { return .failure(transportError(error)) }
        var headers = HTTPHeaders()
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers.append(name, value) }
        }
        return .success(HTTPResponse(status: response.statusCode, headers: headers, body: data.map { Array($0) } ?? []))
    }

    /// Foundation's texts contain the whole URL, so none of them is passed on.
    private static func transportError(_ error: (any Error)?) -> HTTPTransportError {
        switch (error as? URLError)?.code {
        case .cancelled: .init(.cancelled, "the request was cancelled", mayHaveBeenReceived: true)
        case .timedOut: .init(.timedOut, "the response did not arrive in time", mayHaveBeenReceived: true)
        case .cannotFindHost, .dnsLookupFailed:
            .init(.cannotResolve, "the host name has no address", mayHaveBeenReceived: false)
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            .init(.cannotConnect, "there is no connection", mayHaveBeenReceived: false)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .appTransportSecurityRequiresSecureConnection:
            .init(.tlsFailed, "the host's certificate or TLS was rejected", mayHaveBeenReceived: false)
        case .badURL, .unsupportedURL: .init(.invalidRequest, "the URL is not supported", mayHaveBeenReceived: false)
        default: .init(.connectionLost, "the connection ended before a complete response", mayHaveBeenReceived: true)
        }
    }
}

/// A delegate that makes a redirect the response.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif
