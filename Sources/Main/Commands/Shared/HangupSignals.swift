import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Handles SIGHUP, which requests a reload of the configuration.
// Unchecked, because the source is only stored and not used after init.
final class HangupSignals: @unchecked Sendable {
    /// The signals. Several signals before the next read are one.
    let all: AsyncStream<Void>
    private let source: any DispatchSourceSignal

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        all = stream
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP)
        source.setEventHandler { continuation.yield() }
        source.resume()
    }
}
