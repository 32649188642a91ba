#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Capture {
    /// Writes the records to an open file or pipe, each after its line has been read back.
    ///
    /// - Parameters:
    ///   - descriptor: The file or pipe. SIGPIPE must be ignored.
    ///   - name: Its name in messages.
    /// - Returns: Whether everything was written; `false` if the reader of the pipe has gone.
    /// - Throws: ``OperationError`` if reading or a write fails, or a line is not read back as its record. Earlier records are
    ///   written then.
    package mutating func write(to descriptor: Int32, named name: String) async throws(OperationError) -> Bool {
        while let batch = try await nextBatch() {
            let content = batch.content
            try batch.verify(content)
            guard let error = Self.write(content, to: descriptor) else { continue }
            if error == EPIPE { return false }
            throw Self.unwritable(name, error)
        }
        return true
    }

    /// Writes the records to a file, which gets its name only after everything was written and read back.
    ///
    /// - Parameter path: The file, which is replaced if it exists. Only its owner may read it, because it has the text of
    ///   news.
    /// - Throws: ``OperationError`` if reading fails, or the file cannot be written or is not read back. A file that had the name
    ///   before is unchanged then.
    package mutating func write(file path: String) async throws(OperationError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.unwritable(path, errno) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(OperationError) {
            defer { close(descriptor) }
            try await write(whole: descriptor, named: path)
            guard rename(temporary, path) == 0 else { throw Self.unwritable(path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes the records to an empty file, and reads each batch back from it.
    private mutating func write(whole descriptor: Int32, named path: String) async throws(OperationError) {
        while let batch = try await nextBatch() {
            let beginning = lseek(descriptor, 0, SEEK_CUR)
            let content = batch.content
            if let error = Self.write(content, to: descriptor) { throw Self.unwritable(path, error) }
            guard let written = Self.read(content.count, from: descriptor, at: beginning) else {
                let reason = String(cString: strerror(errno))
                throw OperationError(.unavailable, "\(path) cannot be read back: \(reason)")
            }
            try batch.verify(written)
        }
        guard fsync(descriptor) == 0 else { throw Self.unwritable(path, errno) }
    }

    /// Returns the next records; `nil` at the end.
    private mutating func nextBatch() async throws(OperationError) -> CaptureBatch? {
        let before = count
        let records = try await next()
        return records.isEmpty ? nil : CaptureBatch(records: records, before: before)
    }

    /// Reads bytes of a file.
    ///
    /// - Returns: The bytes, fewer if the file ends before; `nil` after an error.
    private static func read(_ count: Int, from descriptor: Int32, at beginning: off_t) -> [UInt8]? {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[filled...])
                let read = pread(descriptor, rest.baseAddress, rest.count, beginning + off_t(filled))
                if read < 0, errno == EINTR { continue }
                hasFailed = read < 0
                if read <= 0 { return }
                filled += read
            }
        }
        return hasFailed ? nil : bytes
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
