import CCurl

/// Owns one easy handle with all options that are the same for every request.
///
/// Used again for request after request; belongs to the loop's thread.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    /// libcurl's own words on the last failure; empty when it had none.
    var lastErrorText: String { String(cString: errorText) }

    /// Makes a handle; fails when there is no memory or libcurl lacks an option that is relied on.
    ///
    /// - Parameter configuration: What holds for every request.
    init?(_ configuration: CurlTransportConfiguration) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        self.errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setGeneralOptions(configuration), setTLSOptions(configuration), setProxy(configuration.proxy) else {
            return nil
        }
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// Empties the error text before a new request.
    func forgetLastError() {
        errorText[0] = 0
    }

    /// Sets an option of type long.
    ///
    /// - Returns: Whether libcurl took it.
    func set(_ option: CURLoption, _ value: Int) -> Bool {
        ccurl_set_long(pointer, option, value) == CURLE_OK
    }

    /// Sets an option of type string, which libcurl copies; `nil` for its default.
    ///
    /// - Returns: Whether libcurl took it.
    func set(_ option: CURLoption, _ value: String?) -> Bool {
        ccurl_set_string(pointer, option, value) == CURLE_OK
    }

    private func setGeneralOptions(_ configuration: CurlTransportConfiguration) -> Bool {
        ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
            && set(CURLOPT_NOSIGNAL, 1)
            // Without it, ending a request waits for a resolver that hangs.
            && set(CURLOPT_QUICK_EXIT, 1)
            && set(CURLOPT_PROTOCOLS_STR, "http,https")
            && set(CURLOPT_FOLLOWLOCATION, 0)
            && set(CURLOPT_PATH_AS_IS, 1)
            && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
            && set(CURLOPT_HTTP_VERSION, configuration.httpVersion.option)
            && set(CURLOPT_TCP_NODELAY, 1)
            && set(CURLOPT_TCP_KEEPALIVE, 1)
            && set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMillisecondsForCurl)
            && set(CURLOPT_MAXAGE_CONN, max(1, Int(configuration.maximumIdleTime.components.seconds)))
            && set(CURLOPT_USERAGENT, configuration.userAgent)
            && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func setTLSOptions(_ configuration: CurlTransportConfiguration) -> Bool {
        let isSet =
            set(CURLOPT_SSL_VERIFYPEER, 1)
            && set(CURLOPT_SSL_VERIFYHOST, 2)
            && set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
            && set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
            && set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
            && set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        guard isSet, let file = configuration.caFile else { return isSet }
        // The folder of the system's authorities is libcurl's default beside the file: without it only the file counts.
        return set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
            && set(CURLOPT_PROXY_CAINFO, file) && set(CURLOPT_PROXY_CAPATH, nil)
    }

    private func setProxy(_ policy: ProxyPolicy) -> Bool {
        switch policy {
        case .environment: true
        case .none: set(CURLOPT_PROXY, "")
        case .url(let url): set(CURLOPT_PROXY, url)
        }
    }
}

extension CurlTransportConfiguration.VersionPolicy {
    fileprivate var option: Int {
        switch self {
        case .automatic: CURL_HTTP_VERSION_2TLS
        case .http1: CURL_HTTP_VERSION_1_1
        }
    }
}

extension Duration {
    /// Milliseconds as an option: rounded up, at least one, since zero means libcurl's own default.
    fileprivate var wholeMillisecondsForCurl: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
