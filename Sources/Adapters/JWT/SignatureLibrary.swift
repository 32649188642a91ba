internal import CJWT

/// libjwt, which is loaded when the first verifier is made: a program that takes no tokens does without.
struct SignatureLibrary: Sendable {
    private let library: cjwt_library

    /// Loaded once.
    private static let loaded: SignatureLibrary? = {
        var library = cjwt_library()
        return cjwt_load(&library) == 0 ? nil : SignatureLibrary(library: library)
    }()

    static func load() throws(BearerTokenError) -> SignatureLibrary {
        guard let loaded else {
            throw BearerTokenError(
                .noLibrary,
                "bearer tokens take libjwt, which is not there: install libjwt0 (Debian 12) or libjwt2 (Debian 13)"
            )
        }
        return loaded
    }

    /// Whether a token has a signature of the key, by the algorithm that is named.
    ///
    /// - Parameters:
    ///   - token: Without a zero byte.
    ///   - key: Known to fit the algorithm.
    ///   - algorithm: Its name in headers.
    /// - Returns: False also for what the library cannot read.
    func hasGoodSignature(_ token: String, key: [UInt8], algorithm: String) -> Bool {
        guard let count = Int32(exactly: key.count), count > 0 else { return false }
        var decoded: OpaquePointer?
        guard library.decode(&decoded, token, key, count) == 0, let decoded else { return false }
        defer { library.free(decoded) }
        // By its name: the number may be another in the next release.
        guard let name = library.name(library.algorithm(decoded)) else { return false }
        return String(cString: name) == algorithm
    }
}
