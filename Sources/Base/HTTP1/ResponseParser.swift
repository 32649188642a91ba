package import HTTPTransport

/// Reads one answer of HTTP/1.1 or 1.0 after the other, however its bytes are cut (RFC 9112).
///
/// Strict: what two readers could understand in two ways is refused. Bytes behind an answer end the connection, not the
/// answer. Linear in its input.
package struct ResponseParser {
    /// How far an answer has come.
    package enum State: Sendable, Equatable {
        /// Not a byte of it is there.
        case expected
        /// Begun, and not whole.
        case partial
        /// There: ``ResponseParser/takeResponse()`` hands it out.
        case whole
        /// No answer can come of it; the connection must go.
        case refused(ResponseFault)
    }

    enum Stage {
        case section(SectionScanner)
        case body(left: Int)
        case chunks(ChunkScanner)
        case bodyUntilEnd
        case whole
        case refused(ResponseFault)
    }

    /// How many bytes a status line with its headers may have, and a trailer section: 64 KiB.
    package static let maximumSectionBytes = 65_536

    /// How many bytes an answer may have, with all that frames it.
    package let maximumBytes: Int

    private var stage: Stage = .section(SectionScanner())
    private var receivedBytes = 0
    /// Whether the request has a method whose answers have no body.
    private var isForHead = false
    /// What came of a section that is not whole yet.
    private var section: [UInt8] = []
    private var status = 0
    private var headers = HTTPHeaders()
    private var body: [UInt8] = []
    private var isPersistent = false
    /// Seconds for which the server keeps the connection without a request (`Keep-Alive: timeout=5`); `nil` without that header.
    package private(set) var keptSeconds: Int?

    /// Makes a parser.
    ///
    /// - Parameter maximumBytes: How many bytes an answer may have, headers included.
    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// How far the answer has come.
    package var state: State {
        switch stage {
        case .section, .body, .chunks, .bodyUntilEnd: receivedBytes == 0 ? .expected : .partial
        case .whole: .whole
        case .refused(let fault): .refused(fault)
        }
    }

    /// Whether the connection may carry another request, once the answer is whole (RFC 9112, section 9.3).
    package var mayBeReused: Bool {
        if case .whole = stage { isPersistent } else { false }
    }

    /// Forgets what was there and waits for the next answer.
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

    /// Reads what has come.
    ///
    /// - Parameter bytes: The next bytes of the connection, one or more.
    /// - Returns: How far the answer has come.
    @discardableResult
    package mutating func take(_ bytes: Span<UInt8>) -> State {
        do throws(ResponseFault) {
            var position = 0
            let (sum, hasOverflown) = receivedBytes.addingReportingOverflow(bytes.count)
            receivedBytes = hasOverflown ? .max : sum
            while position < bytes.count { try takePart(of: bytes, at: &position) }
            if receivedBytes > maximumBytes { throw .tooLarge }
        } catch {
            refuse(error)
        }
        return state
    }

    /// Hears that the connection has ended, which ends an answer of unknown length.
    package mutating func takeEnd() {
        switch stage {
        case .bodyUntilEnd: stage = .whole
        case .section, .body, .chunks: refuse(.cutOff)
        case .whole, .refused: break
        }
    }

    /// Hands the answer out, once it is whole.
    ///
    /// - Returns: The answer.
    package mutating func takeResponse() -> HTTPResponse {
        let response = HTTPResponse(status: status, headers: headers, body: body)
        headers = HTTPHeaders()
        body = []
        return response
    }

    // MARK: - Parts

    private mutating func refuse(_ fault: ResponseFault) {
        stage = .refused(fault)
        section = []
        body = []
    }

    private mutating func takePart(of bytes: Span<UInt8>, at position: inout Int) throws(ResponseFault) {
        switch stage {
        case .section(let scanner):
            try takeSection(scanner, of: bytes, at: &position)
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
            // They belong to no request. The answer stands: to doubt what it says would mean to ask once more.
            isPersistent = false
            receivedBytes -= bytes.count - position
            position = bytes.count
        case .refused(let fault):
            throw fault
        }
    }

    private mutating func takeSection(
        _ scannerSoFar: SectionScanner,
        of bytes: Span<UInt8>,
        at position: inout Int
    ) throws(ResponseFault) {
        var scanner = scannerSoFar
        let start = position
        do throws(ResponseFault) {
            try scanner.scan(bytes, at: &position)
        } catch {
            // What is beyond the limit of the whole is told as that.
            throw error == .sectionTooLarge && receivedBytes > maximumBytes ? .tooLarge : error
        }
        guard scanner.isDone else {
            section.append(bytes, start..<position)
            stage = .section(scanner)
            return
        }
        // Without the status line and the blank one.
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

    private mutating func beginBody(_ scanner: SectionScanner, _ headers: HTTPHeaders) throws(ResponseFault) {
        guard scanner.status != 101 else { throw .switchedProtocols }
        let framing = try ResponseFraming(headers, isVersion10: scanner.isVersion10)
        guard scanner.status >= 200 else {
            // An interim answer leaves nothing (RFC 9110, section 15.2).
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
