import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// SIGHUP as something to be heard again and again: the wish that a program read its configuration anew.
// Unchecked, because the source is only kept; nothing touches it after init.
final class Hangups: @unchecked Sendable {
    /// Each that has come; several that came before anybody looked are one.
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
