import CCurl

/// libcurl's one-time start, which must come before any handle and only once in a process.
enum CurlLibrary {
    private static let initialization = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Starts the library on the first call; safe on any thread.
    ///
    /// - Returns: Whether the library can be used.
    static func initialize() -> Bool {
        initialization == CURLE_OK
    }
}

extension CURLcode {
    /// What the code says in libcurl's words.
    var text: String {
        curl_easy_strerror(self).map { String(cString: $0) } ?? "libcurl error \(rawValue)"
    }
}
