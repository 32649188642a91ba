import CCurl
import Timestamps

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
