import CNewsflashRDKafka

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The owner of one `rd_kafka_headers_t` until a record adopts it.
struct HeaderList: ~Copyable {
    private var pointer: OpaquePointer?

    /// Creates a list of headers after those of a message.
    ///
    /// - Parameters:
    ///   - original: The headers of a message, copied within librdkafka; `nil` for none.
    ///   - headers: The headers to add.
    init(copying original: OpaquePointer? = nil, adding headers: [KafkaHeader]) {
        guard original != nil || !headers.isEmpty else {
            self.pointer = nil
            return
        }
        let list = original.flatMap { rd_kafka_headers_copy($0) } ?? rd_kafka_headers_new(headers.count)
        for header in headers {
            // The length is passed with the name, so that no terminator is searched for after its bytes.
            let length = header.name.utf8.count
            withBytes(of: header.value) { value in
                _ = rd_kafka_header_add(list, header.name, length, value.baseAddress, value.count)
            }
        }
        self.pointer = list
    }

    private init(owning pointer: OpaquePointer?) {
        self.pointer = pointer
    }

    /// Returns a copy of the headers, made within librdkafka.
    borrowing func copy() -> HeaderList { HeaderList(owning: pointer.flatMap { rd_kafka_headers_copy($0) }) }

    deinit {
        if let pointer { rd_kafka_headers_destroy(pointer) }
    }

    /// Passes the list to a function that adopts it if it returns `nil`, and keeps it otherwise.
    mutating func offer(to taker: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
        let error = taker(pointer)
        if error == nil { pointer = nil }
        return error
    }

    /// Returns the bytes of the names and values of a list that someone else owns.
    static func byteCount(of list: OpaquePointer) -> Int {
        var (count, index) = (0, 0)
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var size = 0
        while rd_kafka_header_get_all(list, index, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR {
            count += size + (name.map { strlen($0) } ?? 0)
            index += 1
        }
        return count
    }

    /// Reads a list that someone else owns.
    static func read(_ list: OpaquePointer) -> [KafkaHeader] {
        var headers: [KafkaHeader] = []
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var size = 0
        while rd_kafka_header_get_all(list, headers.count, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR {
            headers.append(
                KafkaHeader(
                    name: name.map { String(cString: $0) } ?? "",
                    value: value.map { Array(UnsafeRawBufferPointer(start: $0, count: size)) }
                )
            )
        }
        return headers
    }
}

/// Lends bytes to C, where null and empty are different: the base address is `nil` only for `nil`.
func withBytes<Result>(of bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    guard let bytes else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard bytes.isEmpty else { return try bytes.withUnsafeBytes(body) }
    return try withUnsafeBytes(of: UInt8(0)) { try body(UnsafeRawBufferPointer(start: $0.baseAddress, count: 0)) }
}
