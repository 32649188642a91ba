import NewsflashCommands
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashOperations

/// Shared code of all measurements of a hub.
extension HubBenchLoad {
    /// Registers devices, one request after another.
    ///
    /// - Returns: Registrations per second; `nil` if nothing was added.
    func fill(_ hub: HubEmulator, from: Int, to: Int) throws(OperationError) -> Double? {
        guard from < to else { return nil }
        let token = token()
        var spent = Duration.zero
        for number in from..<to {
            let request = try registration(number, token: token)
            let start = ContinuousClock.now
            let answer = hub.answer(request)
            spent += ContinuousClock.now - start
            try Self.check(answer.response, of: "a registration")
        }
        return Double(to - from) / (spent.inMicroseconds / 1e6)
    }

    /// Throws if a response is not a success.
    static func check(_ response: HTTPResponse, of what: String) throws(OperationError) {
        guard !(200..<300).contains(response.status) else { return }
        let text = String(decoding: response.body.prefix(300), as: UTF8.self)
        throw OperationError(.internalError, "the hub rejected \(what): status \(response.status), \(text)")
    }

    /// Returns the settings for sends over the loopback network.
    static func transport(connections: Int) -> CurlTransportConfiguration {
        var configuration = CurlTransportConfiguration()
        configuration.maximumConnections = connections
        configuration.maximumConnectionsPerHost = connections
        configuration.proxy = .none
        return configuration
    }

    /// The current memory of this process, in bytes; `nil` if unknown.
    static var residentMemory: Int? { memory("VmRSS") }

    /// The peak memory of this process, in bytes; `nil` if unknown.
    static var peakMemory: Int? { memory("VmHWM") }

    private static func memory(_ name: String) -> Int? {
        ProcessSnapshot.text("/proc/self/status").flatMap { ProcessTexts.size(name, status: $0) }
    }
}
