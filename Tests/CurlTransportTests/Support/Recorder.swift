import HTTPTransport
import Locks

/// Keeps what happens and lets a test wait until enough has.
final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<[Element], Never>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    /// All so far.
    var elements: [Element] { state.withLock { $0.elements } }

    func append(contentsOf more: [Element]) {
        let (elements, ready) = state.withLock { state -> ([Element], [Waiter]) in
            state.elements += more
            let count = state.elements.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (state.elements, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: elements) }
    }

    /// Waits until there are that many, and returns all there are then.
    func atLeast(_ count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let enough = state.withLock { state -> [Element]? in
                if state.elements.count >= count { return state.elements }
                state.waiters.append(Waiter(count: count, continuation: continuation))
                return nil
            }
            if let enough { continuation.resume(returning: enough) }
        }
    }
}

/// A receiver that keeps results, and which of them came together.
final class ResultRecorder: HTTPResultReceiver {
    let results = Recorder<HTTPExchangeResult>()
    let batches = Recorder<[HTTPExchangeResult]>()
    private let onReceive: @Sendable ([HTTPExchangeResult]) -> Void

    init(onReceive: @escaping @Sendable ([HTTPExchangeResult]) -> Void = { _ in }) {
        self.onReceive = onReceive
    }

    func receive(_ results: [HTTPExchangeResult]) {
        batches.append(contentsOf: [results])
        self.results.append(contentsOf: results)
        onReceive(results)
    }
}
