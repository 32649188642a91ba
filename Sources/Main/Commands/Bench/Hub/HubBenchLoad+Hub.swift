import CurlTransport
import HTTPTransport
import HubEmulator

/// What all measurements of a hub do with it.
extension HubBenchLoad {
    /// Registers devices, one request after another.
    ///
    /// - Returns: Registrations a second; nothing where there were none to add.
    func fill(_ hub: HubEmulator, from: Int, to: Int) throws(CommandError) -> Double? {
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

    /// Holds an answer to success.
    static func check(_ response: HTTPResponse, of what: String) throws(CommandError) {
        guard !(200..<300).contains(response.status) else { return }
        let text = String(decoding: response.body.prefix(300), as: UTF8.self)
        throw CommandError(.internalError, "the hub does not take \(what): status \(response.status), \(text)")
    }

    /// How sends go over the loopback network.
    static func transport(connections: Int) -> CurlTransportConfiguration {
        var configuration = CurlTransportConfiguration()
        configuration.maximumConnections = connections
        configuration.maximumConnectionsPerHost = connections
        configuration.proxy = .none
        return configuration
    }

    /// Of this process, in bytes; `nil` where the system does not tell.
    static var residentMemory: Int? { memory("VmRSS") }

    /// The most that this process ever had, in bytes; `nil` where the system does not tell.
    static var peakMemory: Int? { memory("VmHWM") }

    private static func memory(_ name: String) -> Int? {
        ProcessLook.text("/proc/self/status").flatMap { ProcessTexts.size(name, status: $0) }
    }
}
