import NewsflashHTTPTransport
import NewsflashTestSupport

/// A receiver that records results, and which of them came together.
final class ResultRecorder: HTTPResultReceiver {
    let results = EventLog<HTTPExchangeResult>()
    let batches = EventLog<[HTTPExchangeResult]>()
    private let onReceive: @Sendable ([HTTPExchangeResult]) -> Void

    init(onReceive: @escaping @Sendable ([HTTPExchangeResult]) -> Void = { _ in }) {
        self.onReceive = onReceive
    }

    func receive(_ results: [HTTPExchangeResult]) {
        batches.append(results)
        self.results.append(contentsOf: results)
        onReceive(results)
    }
}
