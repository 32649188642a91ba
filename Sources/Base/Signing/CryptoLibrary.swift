#if !canImport(CryptoKit)
import CNewsflashCrypto
#endif

/// OpenSSL's libcrypto, which librdkafka and libcurl use too.
package enum CryptoLibrary {
    /// Keeps the library usable while the process exits; called before anything else uses the library.
    ///
    /// By default `exit` frees its state. A Kafka client that still closes a connection with TLS on its own thread then crashes
    /// the process: of 200 commands with TLS, 15 ended with SIGSEGV after their work was done.
    package static func keepUntilEnd() {
        #if !canImport(CryptoKit)
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        #endif
    }
}
