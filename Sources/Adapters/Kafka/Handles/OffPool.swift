import Dispatch

/// The threads for calls that block while they wait for a broker, which must not use Swift's cooperative pool.
private let blockingCalls = DispatchQueue(label: "kafka.blocking", attributes: .concurrent)

/// Runs a blocking call on a thread that may block, and waits for it without blocking one of the pool's threads.
///
/// - Returns: The result of the call.
/// - Throws: The error of the call.
func offPool<Answer: Sendable>(
    _ body: @escaping @Sendable () throws(KafkaError) -> Answer
) async throws(KafkaError) -> Answer {
    let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Answer, KafkaError>, Never>) in
        blockingCalls.async { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
}

/// Runs work on a thread that may block, without waiting for it.
///
/// - Parameters:
///   - delay: The time before the work starts.
///   - body: The work.
func scheduleBlocking(after delay: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
    guard delay > .zero else { return blockingCalls.async(execute: body) }
    blockingCalls.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds)), execute: body)
}
