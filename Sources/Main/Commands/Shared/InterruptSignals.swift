import Dispatch
import NewsflashBasics

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Handles SIGINT and SIGTERM: the first signal requests a clean end, the second ends the process at once.
// Unchecked, because the sources are only stored and not used after init.
package final class InterruptSignals: @unchecked Sendable {
    private struct State {
        var hasBegun = false
        var exitsOnSecond = false
    }

    private final class Signals: Sendable {
        let state = Locked(State())
        let first = Promise<Int32>()
    }

    private let signals = Signals()
    private let sources: [any DispatchSourceSignal]

    /// Starts handling both signals.
    ///
    /// - Parameter atFirst: Called at the first signal, before ``wait()`` returns, because tasks may hang.
    package init(atFirst: @escaping @Sendable () -> Void = {}) {
        // A write to a closed connection must fail, and not end the process.
        signal(SIGPIPE, SIG_IGN)
        let signals = signals
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                let (isFirst, exits) = signals.state.withLock { state in
                    defer { state.hasBegun = true }
                    return (!state.hasBegun, state.exitsOnSecond)
                }
                if isFirst {
                    atFirst()
                    signals.first.end(with: number)
                } else if exits {
                    exit(128 + number)
                }
            }
            source.resume()
            return source
        }
    }

    /// Waits for the first signal.
    package func wait() async {
        _ = await signals.first.wait()
    }

    /// Ends the process at the second signal, even if the clean end has not finished.
    package func exitOnSecond() {
        signals.state.withLock { $0.exitsOnSecond = true }
    }
}

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
