import CCurl
import HTTPTransport

/// One exchange on one easy handle.
///
/// libcurl holds an unretained pointer to it while the handle is in use; ``CurlLoop`` keeps it alive that long and is the
/// only one to touch it.
final class Transfer {
    let exchange: HTTPExchange
    let receiver: any HTTPResultReceiver
    let easy: UnsafeMutableRawPointer
    var isAdded = false
    var isOver = false
    private let limit: Int
    private var sent = 0
    private var response = ResponseCollector()
    private var headerList: UnsafeMutablePointer<curl_slist>?

    init(
        _ exchange: HTTPExchange,
        receiver: any HTTPResultReceiver,
        easy: UnsafeMutableRawPointer,
        limit: Int
    ) {
        self.exchange = exchange
        self.receiver = receiver
        self.easy = easy
        self.limit = limit
    }

    var hasAnswerBegun: Bool { response.hasBegun }

    /// Frees the list of header lines, once libcurl no longer reads it.
    func releaseHeaders() {
        curl_slist_free_all(headerList)
        headerList = nil
    }

    /// Sets everything for the request; nothing is sent yet.
    func configure(_ configuration: CurlTransportConfiguration) throws(HTTPTransportError) {
        let request = exchange.request
        try setConnection(configuration)
        try set(CURLOPT_URL, request.url)
        try setHeaders(request.headers)
        try setMethod(request)
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_setopt_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_setopt_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_setopt_data_callback(easy, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            Transfer.from(context)?.takeBody(UnsafeBufferPointer(start: data, count: size * count)) ?? 0
        }
        ccurl_setopt_data_callback(easy, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            Transfer.from(context)?.response.takeLine(UnsafeBufferPointer(start: data, count: size * count))
            return size * count
        }
    }

    private func setConnection(_ configuration: CurlTransportConfiguration) throws(HTTPTransportError) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, configuration.requestTimeout.wholeMilliseconds)
        switch configuration.version {
        case .http1: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .automatic:
            set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            // Rather wait for a connection that may carry many requests than open one for each.
            set(CURLOPT_PIPEWAIT, exchange.request.url.hasPrefix("https") ? 1 : 0)
        }
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        if let caFile = configuration.caFile { try set(CURLOPT_CAINFO, caFile) }
        if let proxy = configuration.proxy { try set(CURLOPT_PROXY, proxy) }
    }

    private func setHeaders(_ headers: HTTPHeaders) throws(HTTPTransportError) {
        // Waiting for leave to send a body costs a round trip, or a second where the server does not know it.
        append("Expect:")
        for field in headers {
            guard field.isSendable else {
                throw HTTPTransportError(
                    .invalidRequest,
                    "the header \(field.name.prefix(64)) cannot be sent: a name is a word, a value one line",
                    mayHaveBeenReceived: false
                )
            }
            // A colon alone would take the header away; this is how libcurl is told to send it without a value.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        ccurl_setopt_pointer(easy, CURLOPT_HTTPHEADER, headerList)
    }

    private func append(_ line: String) {
        headerList = curl_slist_append(headerList, line) ?? headerList
    }

    /// The body comes from a callback without a way back. So libcurl cannot send it again by itself when a kept connection
    /// turns out dead, and says so instead.
    private func setMethod(_ request: HTTPRequest) throws(HTTPTransportError) {
        guard request.method != .get || !request.body.isEmpty else { return }
        if !request.body.isEmpty || request.method == .post {
            set(CURLOPT_POST, 1)
            ccurl_setopt_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
            ccurl_setopt_pointer(easy, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
            ccurl_setopt_data_callback(easy, CURLOPT_READFUNCTION) { data, size, count, context in
                guard let data, let transfer = Transfer.from(context) else { return Int(CURL_READFUNC_ABORT) }
                return transfer.giveBody(UnsafeMutableRawBufferPointer(start: data, count: size * count))
            }
        }
        if request.method == HTTPMethod(rawValue: "HEAD") { set(CURLOPT_NOBODY, 1) }
        if request.method != .post || request.body.isEmpty { try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        ccurl_setopt_long(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPTransportError) {
        let code = ccurl_setopt_string(easy, option, value)
        guard code != CURLE_OK else { return }
        throw cannotBegin(String(cString: curl_easy_strerror(code)))
    }

    // MARK: Called back by libcurl

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, exchange.request.body.count - sent)
        exchange.request.body.withUnsafeBytes {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
        }
        sent += count
        return count
    }

    /// Taking less than was given ends the transfer.
    private func takeBody(_ bytes: UnsafeBufferPointer<CChar>) -> Int {
        guard response.body.count + bytes.count <= limit else {
            response.isTooLarge = true
            return 0
        }
        response.body.append(contentsOf: UnsafeRawBufferPointer(bytes))
        return bytes.count
    }

    // MARK: The end

    func result(of code: CURLcode) -> Result<HTTPResponse, HTTPTransportError> {
        guard code == CURLE_OK else { return .failure(error(code)) }
        var status = 0
        ccurl_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return .success(HTTPResponse(status: status, headers: response.headers, body: response.body))
    }

    /// Whether any of the request has gone out. Only the whole of it can do work, but how much the peer has is not known.
    var mayHaveBeenReceived: Bool {
        var size = 0
        ccurl_getinfo_long(easy, CURLINFO_REQUEST_SIZE, &size)
        return size > 0
    }

    var isTooLarge: Bool { response.isTooLarge }
}
