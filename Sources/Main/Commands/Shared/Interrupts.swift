import Dispatch
import Locks

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// SIGINT and SIGTERM as something to wait for: the first asks for a clean end, the second ends at once.
// Unchecked, because the sources are only kept; nothing touches them after init.
final class Interrupts: @unchecked Sendable {
    private let first = OneShot<Int32>()
    private let second = OneShot<Int32>()
    private let sources: [any DispatchSourceSignal]

    init() {
        // A peer that goes away must be an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let first = first
        let second = second
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                if !first.end(with: number) { second.end(with: number) }
            }
            source.resume()
            return source
        }
    }

    /// Waits for the first signal.
    func wait() async {
        _ = await first.wait()
    }

    /// Ends the process at the second signal, whatever the first has begun.
    func exitOnSecond() {
        let second = second
        // Nobody waits for this task: it lives as long as the process.
        Task {
            if let number = await second.wait() { exit(128 + number) }
        }
    }
}
