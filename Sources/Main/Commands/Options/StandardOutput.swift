#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The standard output, written through at once, also into a pipe.
enum StandardOutput {
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { unsafe Self.writeOnce($0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private static func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(1, bytes.baseAddress, bytes.count)
        #else
        unsafe Darwin.write(1, bytes.baseAddress, bytes.count)
        #endif
    }
}
