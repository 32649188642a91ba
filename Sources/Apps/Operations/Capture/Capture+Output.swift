#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Capture {
    /// Writes the records to an open file or pipe, after each line has been read back.
    ///
    /// - Parameters:
    ///   - descriptor: The file or pipe. SIGPIPE must be ignored.
    ///   - name: Its name in messages.
    /// - Returns: Whether everything was written; `false` if the reader of the pipe has gone.
    /// - Throws: ``OperationError`` if a write fails, or a line is not read back as its record.
    package func write(to descriptor: Int32, named name: String) throws(OperationError) -> Bool {
        let content = Array(lines.joined())
        try verify(content)
        guard let error = Self.write(content, to: descriptor) else { return true }
        if error == EPIPE { return false }
        throw Self.unwritable(name, error)
    }

    /// Writes the records to a file, which gets its name only after everything was read back from the disk.
    ///
    /// - Parameter path: The file, which is replaced if it exists. Only its owner may read it, because it has the text of
    ///   news.
    /// - Throws: ``OperationError`` if the file cannot be written, or is not read back; nothing has its name then.
    package func write(file path: String) throws(OperationError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.unwritable(path, errno) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(OperationError) {
            var error = Self.write(Array(lines.joined()), to: descriptor)
            if error == nil, fsync(descriptor) != 0 { error = errno }
            if close(descriptor) != 0 { error = error ?? errno }
            if let error { throw Self.unwritable(path, error) }
            try verify(EventFiles.content(of: temporary))
            guard rename(temporary, path) == 0 else { throw Self.unwritable(path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes bytes.
    ///
    /// - Returns: The number of the error if not everything could be written.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, -1)
                    continue
                }
                guard count > 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return nil
        }
    }

    private static func unwritable(_ name: String, _ error: Int32) -> OperationError {
        OperationError(.unavailable, "\(name) cannot be written: \(String(cString: strerror(error)))")
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
