import Dispatch
import NewsflashBasics

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A pipe that closes itself.
final class Pipe: Sendable {
    struct NotMade: Error {}

    let writeEnd: Int32
    let readEnd: Int32
    private let isWriteEndOpen = Locked(true)

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw NotMade() }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }

    func closeWriteEnd() {
        isWriteEndOpen.withLock { isOpen in
            if isOpen { close(writeEnd) }
            isOpen = false
        }
    }

    func doNotBlockWrites() {
        _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    }

    /// Returns the bytes of one read; empty if nothing comes within 30 s.
    func readSome(upTo count: Int) -> String {
        var waited = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, 1, 30_000) > 0 else { return "" }
        var buffer = [UInt8](repeating: 0, count: count)
        let length = read(readEnd, &buffer, count)
        return String(decoding: buffer.prefix(max(length, 0)), as: UTF8.self)
    }

    /// Returns everything until the write end is closed.
    func readToEnd() -> String {
        var text = ""
        while case let some = readSome(upTo: 65_536), !some.isEmpty { text += some }
        return text
    }

    /// Does the same on a thread that may block.
    func readToEndElsewhere() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "reader").async { continuation.resume(returning: self.readToEnd()) }
        }
    }
}
