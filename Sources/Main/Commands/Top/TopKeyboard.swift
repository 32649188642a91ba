import Dispatch
import Locks

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The keyboard of a terminal in a mode where keys arrive at once and are not shown.
// Unchecked, because the source is only stored; after init it is only cancelled.
final class TopKeyboard: @unchecked Sendable {
    private let quitting = Promise<Bool>()
    private let source: any DispatchSourceRead
    private let before: termios

    /// Changes the mode of the terminal; `nil` if the standard input is not a terminal.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
        let quitting = quitting
        source.setEventHandler {
            var key: UInt8 = 0
            // The end of the input also quits.
            let count = read(STDIN_FILENO, &key, 1)
            if count <= 0 || key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") { quitting.end(with: true) }
        }
        source.resume()
    }

    /// Waits for q.
    func quit() async { _ = await quitting.wait() }

    /// Restores the mode of the terminal.
    func restore() {
        source.cancel()
        var before = before
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
}
