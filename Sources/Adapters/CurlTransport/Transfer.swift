import CCurl
import HTTPTransport

/// One exchange on its way: lends libcurl the request's memory, takes the answer, and watches what was written.
///
/// Belongs to the loop's thread.
final class Transfer {
    let id: UInt64
    let receiver: any HTTPResultReceiver
    let handle: EasyHandle
    private let request: HTTPRequest
    private let configuration: CurlTransportConfiguration
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private var collector: ResponseCollector

    /// How often libcurl has set out to write the request on a connection that is ready.
    private var attempts = 0
    /// Whether libcurl set out to write once more what the server may have already.
    private var wasRepeatRefused = false
    /// When it is too late to begin with writing.
    private let notAfter: ContinuousClock.Instant?
    private var wasTooLate = false
    private let startedAt: ContinuousClock.Instant
    private var readyAt: ContinuousClock.Instant?

    /// What libcurl adds by itself.
    private static let headersOfCurl = ["Accept", "Content-Type", "Expect"]

    /// Readies a handle for an exchange.
    ///
    /// - Parameters:
    ///   - exchange: Has passed ``RequestCheck``.
    ///   - receiver: Gets the result from the loop.
    ///   - handle: Not in use elsewhere.
    ///   - configuration: The handle's own.
    ///   - now: From which the time-outs count.
    init(
        _ exchange: HTTPExchange,
        receiver: any HTTPResultReceiver,
        handle: EasyHandle,
        configuration: CurlTransportConfiguration,
        now: ContinuousClock.Instant
    ) {
        self.id = exchange.id
        self.receiver = receiver
        self.handle = handle
        self.request = exchange.request
        self.notAfter = exchange.notAfter
        self.configuration = configuration
        self.collector = ResponseCollector(maximumBytes: configuration.maximumResponseBytes)
        self.startedAt = now
    }

    deinit {
        curl_slist_free_all(headerLines)
    }

    // MARK: Request

    /// Gives the handle all that differs between requests.
    ///
    /// - Returns: False when there is no memory or libcurl refuses the URL.
    func prepare() -> Bool {
        handle.forgetLastError()
        return setCallbacks() && handle.set(CURLOPT_URL, request.url) && setMethodAndBody() && setHeaders()
    }

    private func setMethodAndBody() -> Bool {
        let method = request.method
        if request.body.isEmpty, !method.usuallyHasBody {
            guard method != .head else {
                return handle.set(CURLOPT_CUSTOMREQUEST, nil) && handle.set(CURLOPT_NOBODY, 1)
            }
            return handle.set(CURLOPT_HTTPGET, 1)
                && handle.set(CURLOPT_CUSTOMREQUEST, method == .get ? nil : method.rawValue)
        }
        // The pointer outlives the closure: the array is native, immutable and held by this object, which the loop holds
        // for as long as libcurl has the handle. An empty body must still have a pointer.
        let body = request.body.withUnsafeBufferPointer {
            UnsafeRawPointer($0.baseAddress) ?? UnsafeRawPointer(handle.pointer)
        }
        return handle.set(CURLOPT_POST, 1)
            && handle.set(CURLOPT_CUSTOMREQUEST, method == .post ? nil : method.rawValue)
            && ccurl_set_offset(handle.pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)) == CURLE_OK
            && ccurl_set_pointer(handle.pointer, CURLOPT_POSTFIELDS, body) == CURLE_OK
    }

    private func setHeaders() -> Bool {
        // One buffer for all lines, since libcurl copies each.
        var line: [UInt8] = []
        line.reserveCapacity(512)
        for field in request.headers {
            line.removeAll(keepingCapacity: true)
            line.append(contentsOf: field.name.utf8)
            // A name with a semicolon is libcurl's way to write a field without a value.
            line.append(contentsOf: field.value.isEmpty ? ";".utf8 : ": ".utf8)
            line.append(contentsOf: field.value.utf8)
            guard addHeaderLine(&line) else { return false }
        }
        // A name without a value takes away what libcurl would add.
        for name in Self.headersOfCurl where request.headers[name] == nil {
            line.removeAll(keepingCapacity: true)
            line.append(contentsOf: name.utf8)
            line.append(UInt8(ascii: ":"))
            guard addHeaderLine(&line) else { return false }
        }
        return ccurl_set_list(handle.pointer, CURLOPT_HTTPHEADER, headerLines) == CURLE_OK
    }

    /// Ends the line and hands it over.
    private func addHeaderLine(_ line: inout [UInt8]) -> Bool {
        line.append(0)
        let longer = line.withUnsafeBytes { bytes in
            curl_slist_append(headerLines, bytes.bindMemory(to: CChar.self).baseAddress)
        }
        guard let longer else { return false }
        headerLines = longer
        return true
    }

    // MARK: Callbacks

    private func setCallbacks() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let pointer = handle.pointer
        return ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context) == CURLE_OK
            && ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context) == CURLE_OK
            && ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, context) == CURLE_OK
            && ccurl_set_write_function(pointer, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                Transfer.from(context).collector.takeLine(Transfer.buffer(bytes, count)) ? count : 0
            } == CURLE_OK
            && ccurl_set_write_function(pointer, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                Transfer.from(context).collector.takeBody(Transfer.buffer(bytes, count)) ? count : 0
            } == CURLE_OK
            && ccurl_set_prereq_function(pointer) { context, _, _, _, _ in
                Transfer.from(context).mayWriteRequest() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            } == CURLE_OK
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { fatalError("libcurl called back without the context it was given") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static func buffer(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        let start = UnsafeRawPointer(bytes)?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// Decides, each time a connection is ready, whether the request may be written on it.
    ///
    /// libcurl writes a request again on a fresh connection when a reused one ended without a byte of an answer. The
    /// server may have done the work by then, so that is left to requests that are idempotent (RFC 9110, section 9.2.2)
    /// or of which surely nothing was written. Whether to send the others again is the caller's decision.
    private func mayWriteRequest() -> Bool {
        let now = ContinuousClock.now
        if let notAfter, notAfter < now {
            wasTooLate = true
            return false
        }
        attempts += 1
        readyAt = now
        guard attempts > 1, mayHaveBeenReceived, !request.method.isIdempotent else { return true }
        wasRepeatRefused = true
        return false
    }

    // MARK: End

    /// Whether a connection was ready and libcurl may have begun to write.
    var hasSetOut: Bool { attempts > 0 }

    /// Whether the server may have the request whole.
    ///
    /// Any written byte counts as all. HTTP/2 counts from when it could be written, since libcurl may fail in the midst
    /// of writing before it counts.
    private var mayHaveBeenReceived: Bool {
        guard hasSetOut else { return false }
        return mayBeHTTP2 || ccurl_long(handle.pointer, CURLINFO_REQUEST_SIZE) > 0
    }

    private var mayBeHTTP2: Bool {
        configuration.httpVersion == .automatic
            && request.url.utf8.prefix(5).elementsEqual("https".utf8) { $0 | 0x20 == $1 }
    }

    /// The earliest instant at which ``overdue(at:)`` could say yes; does not move backwards while the request runs.
    func nextDeadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let end = startedAt + configuration.requestTimeout
        guard !collector.hasBegun else { return end }
        return min(end, (readyAt ?? now) + configuration.firstByteTimeout)
    }

    /// Which time-out has passed.
    func overdue(at now: ContinuousClock.Instant) -> TransferFailure.Cause? {
        if now >= startedAt + configuration.requestTimeout { return .requestTimeout }
        guard let readyAt, !collector.hasBegun, now >= readyAt + configuration.firstByteTimeout else { return nil }
        return .firstByteTimeout
    }

    /// The result, once libcurl has ended the transfer with this code.
    func result(for code: CURLcode) -> Result<HTTPResponse, HTTPTransportError> {
        if code == CURLE_OK, !collector.isInHeaderSection {
            return .success(collector.response(status: ccurl_long(handle.pointer, CURLINFO_RESPONSE_CODE)))
        }
        if collector.isTooLarge { return .failure(error(for: .responseTooLarge)) }
        if code == CURLE_OK { return .failure(error(for: .curl(CURLE_PARTIAL_FILE, detail: "in its headers"))) }
        if wasTooLate { return .failure(error(for: .tooLate)) }
        if wasRepeatRefused { return .failure(error(for: .repeatRefused)) }
        return .failure(error(for: .curl(code, detail: handle.lastErrorText)))
    }

    /// The error for an end of this cause; ask while the handle is still the transfer's.
    func error(for cause: TransferFailure.Cause) -> HTTPTransportError {
        TransferFailure(
            cause: cause,
            destination: HTTPDestination(url: request.url),
            wasConnected: hasSetOut,
            mayHaveBeenReceived: mayHaveBeenReceived
        ).error(configuration)
    }
}

extension HTTPMethod {
    fileprivate static let head = HTTPMethod(rawValue: "HEAD")

    /// Whether a request without a body says so (`Content-Length: 0`; RFC 9110, section 8.6).
    fileprivate var usuallyHasBody: Bool {
        self == .post || self == .put || self == .patch
    }

    /// Whether doing it twice does the same as doing it once (RFC 9110, section 9.2.2).
    fileprivate var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(rawValue)
    }
}
