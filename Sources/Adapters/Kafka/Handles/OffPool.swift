import Dispatch

/// Where calls block that wait for a broker: never on the threads of Swift's cooperative pool.
private let blockingCalls = DispatchQueue(label: "kafka.blocking", attributes: .concurrent)

/// Runs a blocking call on a thread that may block, and waits for it without holding one of the pool's.
///
/// - Parameter body: The blocking call.
/// - Returns: What the call returned.
/// - Throws: What the call threw.
func offPool<Answer: Sendable>(
    _ body: @escaping @Sendable () throws(KafkaError) -> Answer
) async throws(KafkaError) -> Answer {
    let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Answer, KafkaError>, Never>) in
        blockingCalls.async { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
}

/// Runs a piece of work on some thread that may block; nobody waits for it.
///
/// - Parameters:
///   - delay: How long to wait before.
///   - body: The work.
func laterOffPool(after delay: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
    guard delay > .zero else { return blockingCalls.async(execute: body) }
    blockingCalls.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds)), execute: body)
}
