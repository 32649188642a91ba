import CCurl

/// libcurl's global initialization, which must be done once per process, before any handle exists.
enum CurlLibrary {
    private static let initialization = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Initializes the library on the first call; safe on any thread.
    ///
    /// - Returns: Whether the library can be used.
    static func initialize() -> Bool {
        initialization == CURLE_OK
    }
}

extension CURLcode {
    /// libcurl's text for the code.
    var text: String {
        curl_easy_strerror(self).map { String(cString: $0) } ?? "libcurl error \(rawValue)"
    }
}
