internal import CMicroHTTPD

/// A response in libmicrohttpd's form; its reference is released with its owner.
struct MHDResponse: ~Copyable {
    private let status: UInt32
    private let response: OpaquePointer?

    /// Converts a response.
    ///
    /// - Parameters:
    ///   - answer: The handler's response.
    ///   - stream: The content of a streamed response; `nil` for `HEAD`.
    init(_ answer: HTTPServerResponse, stream: StreamBody?) {
        let made = Self.make(answer, stream: stream)
        let isValid = answer.headers.allSatisfy { field in
            MHD_add_response_header(made, field.name, field.value) == .YES
        }
        if isValid {
            status = UInt32(clamping: answer.status)
            response = made
        } else {
            made.map { MHD_destroy_response($0) }
            status = 500
            response = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        }
    }

    deinit {
        response.map { MHD_destroy_response($0) }
    }

    /// Passes the response to libmicrohttpd.
    ///
    /// - Parameter connection: A connection without a response, in a callback for it.
    /// - Returns: Whether it was accepted; otherwise the connection must be closed.
    func queue(on connection: OpaquePointer) -> Bool {
        MHD_queue_response(connection, status, response) == .YES
    }

    private static func make(_ answer: HTTPServerResponse, stream: StreamBody?) -> OpaquePointer? {
        switch answer.body {
        case .bytes(var bytes):
            return bytes.withUnsafeMutableBytes { buffer in
                MHD_create_response_from_buffer(buffer.count, buffer.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .stream:
            guard let stream else {
                // Only for `HEAD`. libmicrohttpd sends the last chunk of a forbidden body; closing the connection makes it
                // harmless.
                let made = MHD_create_response_from_callback(unknownSize, 1024, { _, _, _, _ in -1 }, nil, nil)
                MHD_add_response_header(made, "Connection", "close")
                return made
            }
            return MHD_create_response_from_callback(
                unknownSize,
                32 * 1024,
                { context, _, buffer, maximum in
                    guard let context, let buffer else { return -2 }
                    return Unmanaged<StreamBody>.fromOpaque(context).takeUnretainedValue()
                        .read(into: buffer, maximum: maximum)
                },
                Unmanaged.passRetained(stream).toOpaque(),
                { context in
                    guard let context else { return }
                    Unmanaged<StreamBody>.fromOpaque(context).release()
                }
            )
        }
    }
}

/// `MHD_SIZE_UNKNOWN`, a macro with a cast that Swift does not import.
private let unknownSize = UInt64.max
