package import NewsflashHTTPTransport

/// Parses the HTTP/1.1 or 1.0 responses of a connection one by one, from chunks of any size (RFC 9112).
///
/// Strict: ambiguous responses are rejected. Bytes after a response make the connection unusable, but the response remains
/// valid. The time needed is linear in the size of the input.
package struct ResponseParser {
    /// The progress of a response.
    package enum State: Sendable, Equatable {
        /// No byte has been received.
        case expected
        /// Some bytes have been received.
        case partial
        /// Complete: ``ResponseParser/removeResponse()`` returns it.
        case whole
        /// Invalid; the connection must be closed.
        case refused(InvalidResponseError)
    }

    enum Stage {
        case section(SectionScanner)
        case body(left: Int)
        case chunks(ChunkScanner)
        case bodyUntilEnd
        case whole
        case refused(InvalidResponseError)
    }

    /// The maximum size in bytes of a status line with its headers, and of a trailer section: 64 KiB.
    package static let maximumSectionBytes = 65_536

    /// The maximum size of a response in bytes, including its headers and framing.
    package let maximumBytes: Int

    private var stage: Stage = .section(SectionScanner())
    private var receivedBytes = 0
    /// Whether the request's method is `HEAD`, whose responses have no body.
    private var isForHead = false
    /// The received part of an incomplete section.
    private var section: [UInt8] = []
    private var status = 0
    private var headers = HTTPHeaders()
    private var body: [UInt8] = []
    private var isPersistent = false
    /// How long the server keeps the connection without a request, in seconds (`Keep-Alive: timeout=5`); `nil` without that
    /// header.
    package private(set) var keptSeconds: Int?

    /// Creates a parser.
    ///
    /// - Parameter maximumBytes: The maximum size of a response in bytes, including its headers.
    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// The progress of the response.
    package var state: State {
        switch stage {
        case .section, .body, .chunks, .bodyUntilEnd: receivedBytes == 0 ? .expected : .partial
        case .whole: .whole
        case .refused(let fault): .refused(fault)
        }
    }

    /// Whether the response is complete and the connection may be used for another request (RFC 9112, section 9.3).
    package var mayBeReused: Bool {
        if case .whole = stage { isPersistent } else { false }
    }

    /// Discards the previous response and prepares for the next one.
    ///
    /// - Parameter isForHead: Whether the request's method is `HEAD`.
    package mutating func begin(isForHead: Bool) {
        self.isForHead = isForHead
        stage = .section(SectionScanner())
        receivedBytes = 0
        section.removeAll()
        body = []
        isPersistent = false
        keptSeconds = nil
    }

    /// Parses received bytes.
    ///
    /// - Parameter bytes: The next bytes of the connection, one or more.
    /// - Returns: The progress of the response.
    @discardableResult
    package mutating func parse(_ bytes: Span<UInt8>) -> State {
        do throws(InvalidResponseError) {
            var position = 0
            let (sum, hasOverflown) = receivedBytes.addingReportingOverflow(bytes.count)
            receivedBytes = hasOverflown ? .max : sum
            while position < bytes.count { try parsePart(of: bytes, at: &position) }
            if receivedBytes > maximumBytes { throw .tooLarge }
        } catch {
            refuse(error)
        }
        return state
    }

    /// Handles the end of the connection, which completes a response of unknown length.
    package mutating func parseEnd() {
        switch stage {
        case .bodyUntilEnd: stage = .whole
        case .section, .body, .chunks: refuse(.cutOff)
        case .whole, .refused: break
        }
    }

    /// Returns the complete response and removes it from the parser.
    ///
    /// - Returns: The response.
    package mutating func removeResponse() -> HTTPResponse {
        let response = HTTPResponse(status: status, headers: headers, body: body)
        headers = HTTPHeaders()
        body = []
        return response
    }

    // MARK: - Parts

    private mutating func refuse(_ fault: InvalidResponseError) {
        stage = .refused(fault)
        section = []
        body = []
    }

    private mutating func parsePart(of bytes: Span<UInt8>, at position: inout Int) throws(InvalidResponseError) {
        switch stage {
        case .section(let scanner):
            try parseSection(scanner, of: bytes, at: &position)
        case .body(let left):
            let end = position + min(left, bytes.count - position)
            body.append(bytes, position..<end)
            stage = end - position == left ? .whole : .body(left: left - (end - position))
            position = end
        case .chunks(var scanner):
            let piece = try scanner.scan(bytes, at: &position, limit: maximumBytes)
            body.append(bytes, piece)
            stage = scanner.isDone ? .whole : .chunks(scanner)
        case .bodyUntilEnd:
            if receivedBytes > maximumBytes { throw .tooLarge }
            body.append(bytes, position..<bytes.count)
            position = bytes.count
        case .whole:
            // The extra bytes belong to no request. The response stays valid, because rejecting it would repeat the request.
            isPersistent = false
            receivedBytes -= bytes.count - position
            position = bytes.count
        case .refused(let fault):
            throw fault
        }
    }

    private mutating func parseSection(
        _ scannerSoFar: SectionScanner,
        of bytes: Span<UInt8>,
        at position: inout Int
    ) throws(InvalidResponseError) {
        var scanner = scannerSoFar
        let start = position
        do throws(InvalidResponseError) {
            try scanner.scan(bytes, at: &position)
        } catch {
            // If the response also exceeds its maximum size, that is the error to report.
            throw error == .sectionTooLarge && receivedBytes > maximumBytes ? .tooLarge : error
        }
        guard scanner.isDone else {
            section.append(bytes, start..<position)
            stage = .section(scanner)
            return
        }
        // The lines without the status line and the blank line.
        let lines: [UInt8]
        if section.isEmpty {
            lines = [UInt8](bytes, (start + scanner.linesStart)..<(position - 2))
        } else {
            section.append(bytes, start..<position)
            lines = Array(section[scanner.linesStart..<(section.count - 2)])
            section = []
        }
        try beginBody(scanner, HTTPHeaders(checkedLines: lines))
    }

    private mutating func beginBody(_ scanner: SectionScanner, _ headers: HTTPHeaders) throws(InvalidResponseError) {
        guard scanner.status != 101 else { throw .switchedProtocols }
        let framing = try ResponseFraming(headers, isVersion10: scanner.isVersion10)
        guard scanner.status >= 200 else {
            // An interim response is ignored (RFC 9110, section 15.2).
            stage = .section(SectionScanner())
            return
        }
        self.status = scanner.status
        self.headers = headers
        isPersistent = framing.isPersistent
        keptSeconds = framing.keptSeconds
        if isForHead || status == 204 || status == 304 {
            stage = .whole
            return
        }
        switch framing.length {
        case .counted(0):
            stage = .whole
        case .counted(let count):
            guard count <= maximumBytes else { throw .tooLarge }
            body.reserveCapacity(count)
            stage = .body(left: count)
        case .chunked:
            stage = .chunks(ChunkScanner())
        case .untilEnd:
            isPersistent = false
            stage = .bodyUntilEnd
        }
    }
}

extension [UInt8] {
    fileprivate init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self = []
        append(bytes, range)
    }

    fileprivate mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
