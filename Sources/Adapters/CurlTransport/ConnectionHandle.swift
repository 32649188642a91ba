import CNewsflashCurl
import Glibc
import NewsflashHTTP1
import NewsflashTimestamps

/// Owns the easy handle of one connection. libcurl opens it and transports its bytes, with TLS and through proxies. It does not
/// use HTTP except for a proxy's tunnel.
///
/// Belongs to the loop's thread. The handle must stay in its multi handle while the connection is used.
final class ConnectionHandle {
    /// The result of a call that transports bytes.
    enum TransferResult {
        /// That many bytes, at least one.
        case bytes(Int)
        /// None now; the socket signals when to continue.
        case later
        /// The peer has closed the connection properly.
        case end
        case failure(CURLcode)
    }

    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    /// libcurl's text for the last failure; empty if it had none.
    var lastErrorText: String { String(cString: errorText) }

    /// The connection's socket; `nil` before it is open.
    var socket: Int32? {
        let socket = ccurl_active_socket(pointer)
        return socket == CURL_SOCKET_BAD ? nil : socket
    }

    /// Creates a handle; fails if memory is exhausted or libcurl lacks a required option.
    ///
    /// - Parameters:
    ///   - origin: The server to connect to.
    ///   - configuration: Time-outs, trust and proxy.
    init?(_ origin: Origin, _ configuration: CurlTransportConfiguration) {
        guard let pointer = curl_easy_init() else { return nil }
        let route = ProxyRoute(configuration.proxy, isSecure: origin.isSecure)
        self.pointer = pointer
        self.errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setConnection(origin, configuration), setTLSOptions(configuration), setProxy(configuration.proxy, route)
        else { return nil }
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    // MARK: Bytes

    /// Prepares the open connection for requests.
    ///
    /// - Parameters:
    ///   - socket: The connection's socket.
    ///   - limit: How long the peer may acknowledge nothing before the system closes the connection.
    func begin(on socket: Int32, acknowledgedWithin limit: Duration) {
        var milliseconds = UInt32(clamping: limit.wholeMillisecondsForCurl)
        setsockopt(
            socket,
            Int32(IPPROTO_TCP),
            TCP_USER_TIMEOUT,
            &milliseconds,
            socklen_t(MemoryLayout<UInt32>.size)
        )
    }

    /// Writes as much as is possible at once.
    ///
    /// - Parameter bytes: The bytes; after ``TransferResult/later`` the same ones at the same address again, because OpenSSL requires
    ///   it.
    /// - Returns: The number of written bytes.
    func send(_ bytes: UnsafeRawBufferPointer) -> TransferResult {
        var count = 0
        let code = curl_easy_send(pointer, bytes.baseAddress, bytes.count, &count)
        if code == CURLE_AGAIN { return .later }
        return code == CURLE_OK ? .bytes(count) : .failure(code.ofUse)
    }

    /// Reads the available bytes.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransferResult {
        var count = 0
        let code = curl_easy_recv(pointer, buffer.baseAddress, buffer.count, &count)
        if code == CURLE_AGAIN { return .later }
        guard code == CURLE_OK else { return .failure(code.ofUse) }
        return count > 0 ? .bytes(count) : .end
    }

    // MARK: Options

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        ccurl_set_long(pointer, option, value) == CURLE_OK
    }

    /// `nil` for libcurl's default.
    private func set(_ option: CURLoption, _ value: String?) -> Bool {
        ccurl_set_string(pointer, option, value) == CURLE_OK
    }

    private func setConnection(_ origin: Origin, _ configuration: CurlTransportConfiguration) -> Bool {
        ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
            && set(CURLOPT_URL, origin.url)
            && set(CURLOPT_CONNECT_ONLY, 1)
            && set(CURLOPT_NOSIGNAL, 1)
            // Without it, cancelling waits for a resolver that hangs.
            && set(CURLOPT_QUICK_EXIT, 1)
            && set(CURLOPT_PROTOCOLS_STR, "http,https")
            // The only version that ALPN offers.
            && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            && set(CURLOPT_TCP_NODELAY, 1)
            && set(CURLOPT_TCP_KEEPALIVE, 1)
            // The name may have a new address.
            && set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
            && set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMillisecondsForCurl)
            // For the proxy, whose responses are discarded.
            && set(CURLOPT_USERAGENT, configuration.userAgent)
            && set(CURLOPT_HTTPPROXYTUNNEL, 1)
            && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            && ccurl_set_write_function(pointer, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
                == CURLE_OK
    }

    private func setTLSOptions(_ configuration: CurlTransportConfiguration) -> Bool {
        let isSet =
            set(CURLOPT_SSL_VERIFYPEER, 1)
            && set(CURLOPT_SSL_VERIFYHOST, 2)
            && set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            && set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
            && set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
            && set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        guard isSet, let file = configuration.caFile else { return isSet }
        // By default libcurl uses the system's folder of authorities in addition to the file; without it only the file counts.
        return set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
            && set(CURLOPT_PROXY_CAINFO, file) && set(CURLOPT_PROXY_CAPATH, nil)
    }

    private func setProxy(_ policy: ProxyPolicy, _ route: ProxyRoute?) -> Bool {
        let isSet =
            switch policy {
            case .environment: true
            case .none: set(CURLOPT_PROXY, "")
            case .url(let url): set(CURLOPT_PROXY, url)
            }
        guard isSet, let user = route?.proxy.user, user != .none else { return isSet }
        // libcurl prefers Negotiate to all others if a proxy offers it, and fails if the machine has no Kerberos ticket.
        return ccurl_set_proxy_schemes(pointer, user == .ticket) == CURLE_OK
    }
}

extension CURLcode {
    /// The code, or `CURLE_RECV_ERROR` if libcurl reports with another code that the connection has ended.
    fileprivate var ofUse: CURLcode { self == CURLE_UNSUPPORTED_PROTOCOL ? CURLE_RECV_ERROR : self }
}

extension Duration {
    /// Whole milliseconds for an option, rounded up, at least one, because zero means libcurl's default.
    fileprivate var wholeMillisecondsForCurl: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}

/// Drives libcurl's multi handle, which opens connections and keeps open ones.
///
/// Belongs to the loop's thread. libcurl reports which sockets it waits for and when its next timer fires.
final class Connector {
    private let multi: UnsafeMutableRawPointer
    private let poller: Poller
    /// Allows a connection to resume the TLS session of an earlier one.
    private let sessions: UnsafeMutableRawPointer?
    /// The sockets that are watched for libcurl.
    private var watched: Set<Int32> = []
    /// When libcurl must be called without an event on a socket.
    private(set) var nextCheck: Instant?

    /// Takes ownership of a multi handle.
    ///
    /// - Parameters:
    ///   - multi: A new multi handle.
    ///   - poller: Watches the sockets.
    ///   - maximumConnections: The maximum number of open connections.
    init(multi: UnsafeMutableRawPointer, poller: Poller, maximumConnections: Int) {
        self.multi = multi
        self.poller = poller
        self.sessions = ccurl_sessions_make()
        // Some more, for connections that are being closed; the pool enforces the limit.
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumConnections + 8)
        _ = ccurl_multi_set_functions(
            multi,
            { _, socket, action, context, _ in
                Connector.from(context)?.watch(socket, action)
                return 0
            },
            { _, milliseconds, context in
                Connector.from(context)?.setTimer(milliseconds)
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit {
        _ = ccurl_multi_set_functions(multi, nil, nil, nil)
        curl_multi_cleanup(multi)
        if let sessions { curl_share_cleanup(sessions) }
    }

    /// Begins to open a handle's connection.
    ///
    /// - Returns: Whether libcurl accepted it.
    func open(_ handle: ConnectionHandle) -> Bool {
        if let sessions { _ = ccurl_set_pointer(handle.pointer, CURLOPT_SHARE, sessions) }
        return curl_multi_add_handle(multi, handle.pointer) == CURLM_OK
    }

    /// Closes a handle's connection, or cancels its opening.
    func close(_ handle: ConnectionHandle) {
        curl_multi_remove_handle(multi, handle.pointer)
    }

    /// Lets libcurl handle a socket that is ready.
    func advance(_ socket: Int32, _ interest: Poller.Interest) {
        var events: Int32 = 0
        if interest.contains(.reading) { events |= CURL_CSELECT_IN }
        if interest.contains(.writing) { events |= CURL_CSELECT_OUT }
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, events, &running)
    }

    /// Lets libcurl handle its timer, if it has fired.
    ///
    /// - Returns: Whether it had fired.
    func advanceClock(_ now: Instant) -> Bool {
        guard let nextCheck, nextCheck <= now else { return false }
        self.nextCheck = nil
        var running: Int32 = 0
        // -1 is CURL_SOCKET_TIMEOUT, a macro that Swift does not import.
        curl_multi_socket_action(multi, -1, 0, &running)
        return true
    }

    /// Returns the next handle whose connection is open, or could not be opened.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        guard ccurl_next_ended(multi, &easy, &code), let easy else { return nil }
        return (easy, code)
    }

    /// Stops watching a socket for libcurl, because its connection uses it now.
    func release(_ socket: Int32) {
        watched.remove(socket)
    }

    // MARK: Callbacks

    private static func from(_ context: UnsafeMutableRawPointer?) -> Connector? {
        context.map { Unmanaged<Connector>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ socket: Int32, _ action: Int32) {
        guard action != CURL_POLL_REMOVE else {
            if watched.remove(socket) != nil { poller.forget(socket) }
            return
        }
        var interest: Poller.Interest = []
        if action & CURL_POLL_IN != 0 { interest.insert(.reading) }
        if action & CURL_POLL_OUT != 0 { interest.insert(.writing) }
        watched.insert(socket)
        _ = poller.watch(socket, for: interest, as: .opening(socket))
    }

    private func setTimer(_ milliseconds: Int) {
        nextCheck = milliseconds < 0 ? nil : Instant.now + .milliseconds(milliseconds)
    }
}
