import HTTPTransport

/// Results of one turn of the loop, by receiver.
struct ResultBatches {
    private var batches: [(receiver: any HTTPResultReceiver, results: [HTTPExchangeResult])] = []
    /// How many results came together last.
    private var usualCount = 0

    /// Lays a result beside the others for the same receiver.
    mutating func add(_ result: HTTPExchangeResult, for receiver: any HTTPResultReceiver) {
        // There are few receivers, mostly one.
        for position in batches.indices where batches[position].receiver === receiver {
            batches[position].results.append(result)
            return
        }
        batches.append((receiver, []))
        batches[batches.count - 1].results.reserveCapacity(usualCount)
        batches[batches.count - 1].results.append(result)
    }

    /// Hands all batches over, one call for each receiver, and is empty then.
    mutating func deliver() {
        guard !batches.isEmpty else { return }
        let ready = batches
        batches.removeAll(keepingCapacity: true)
        usualCount = min(ready[0].results.count, 256)
        for batch in ready { batch.receiver.receive(batch.results) }
    }
}
