import CNewsflashRDKafka
import Dispatch

/// One call of librdkafka's administration, for tests; on real brokers only.
enum AdminCall {
    /// Makes a call with a client and a queue of its own.
    ///
    /// - Parameters:
    ///   - servers: The brokers.
    ///   - start: Starts the call with the client. The result comes to the queue.
    ///   - failure: Reads the result, unless it is an error as a whole.
    /// - Returns: Why the call failed; `nil` if it succeeded.
    static func run(
        at servers: String,
        _ start: @escaping @Sendable (_ client: OpaquePointer, _ queue: OpaquePointer?) -> Void,
        failure: @escaping @Sendable (_ event: OpaquePointer) -> rd_kafka_resp_err_t
    ) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: runBlocking(at: servers, start, failure: failure))
            }
        }
    }

    private static func runBlocking(
        at servers: String,
        _ start: (OpaquePointer, OpaquePointer?) -> Void,
        failure: (OpaquePointer) -> rd_kafka_resp_err_t
    ) -> String? {
        let configuration = rd_kafka_conf_new()
        rd_kafka_conf_set(configuration, "bootstrap.servers", servers, nil, 0)
        guard let client = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, nil, 0) else { return "no client" }
        defer { rd_kafka_destroy(client) }
        let queue = rd_kafka_queue_new(client)
        defer { rd_kafka_queue_destroy(queue) }
        start(client, queue)
        guard let event = rd_kafka_queue_poll(queue, 30_000) else { return "no response" }
        defer { rd_kafka_event_destroy(event) }
        guard rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return String(cString: rd_kafka_event_error_string(event))
        }
        let code = failure(event)
        return code == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : String(cString: rd_kafka_err2str(code))
    }
}
