import NewsflashCurlTransport
import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashWorker
import Testing

/// The pages for health, status and metrics.
@Suite(.timeLimit(.minutes(4)))
struct AdminTests {
    @Test
    func `health, status and metrics respond, and show no secret`() async throws {
        try await Newsroom.open { newsroom in
            newsroom.hub.setFaults([Fault(status: 400, containing: "XYZZY"), Fault(status: 500, remaining: 2)])
            try await newsroom.withWorker { worker in
                let admin = AdminClient(port: try #require(worker.adminPort))
                try await newsroom.publish(Desk.alerts(5) + [Desk.event("refused", headline: "XYZZY")])
                _ = try await newsroom.finalOutcomes(6)
                let live = try await admin.get("/livez")
                #expect(live.status == 200)
                #expect(live.text == "alive\n")
                let ready = try await admin.get("/readyz")
                #expect(ready.status == 200)
                #expect(ready.text == #"{"ready":true,"reasons":[]}"#)
                let status = try await admin.get("/status")
                let document = try JSONReader.read(status.body)
                #expect(document[member: "partitions"]?.array?.count == 1)
                #expect(document[member: "circuit"] == .null)
                let metrics = try await admin.get("/metrics", accept: "application/openmetrics-text;version=1.0.0")
                #expect(metrics.headers["Content-Type"]?.hasPrefix("application/openmetrics-text") == true)
                let classic = try await admin.get("/metrics")
                #expect(classic.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(familiesWithoutHelp(in: classic.text) == [])
                let samples = try Samples(metrics.text)
                #expect(samples[#"newsflash_outcomes_total{outcome="sent"}"#] == 5)
                #expect(samples[#"newsflash_dead_letters_total{reason="failed.refused"}"#] == 1)
                #expect(samples["newsflash_assigned_partitions"] == 1)
                #expect(try await admin.get("/nothing").status == 404)
                let refused = try await admin.get("/metrics", method: .post)
                #expect(refused.status == 405)
                #expect(refused.headers["Allow"] == "GET, HEAD")
                let pages = [live, ready, status, metrics].map(\.text)
                #expect(newsroom.hub.secretsShown(in: pages) == [])
            }
        }
    }

    @Test
    func `health, status and metrics show an open circuit with a remedy`() async throws {
        try await Newsroom.open { newsroom in
            newsroom.hub.setFault(Fault(status: 401))
            try await newsroom.withWorker { worker in
                let admin = AdminClient(port: try #require(worker.adminPort))
                try await newsroom.publish(Desk.alerts(1))
                try await newsroom.waitForHold(.unauthorized)
                let ready = try await admin.get("/readyz")
                #expect(ready.status == 503)
                #expect(ready.text.contains("held.unauthorized"))
                let circuit = try JSONReader.read(try await admin.get("/status").body)[member: "circuit"]
                #expect(circuit?[member: "reason"]?.string == "unauthorized")
                #expect(circuit?[member: "remedy"]?.string?.contains("read again before each probe") == true)
                #expect(try await admin.get("/livez").status == 200)
                let pages = [ready.text, try await admin.get("/status").text]
                #expect(newsroom.hub.secretsShown(in: pages) == [])
                newsroom.hub.setFault(nil)
                _ = try await newsroom.finalOutcomes(1)
                #expect(try await admin.get("/readyz").status == 200)
            }
        }
    }
}

/// A client of a worker's admin server.
struct AdminClient {
    let port: UInt16

    func get(_ path: String, method: HTTPMethod = .get, accept: String? = nil) async throws -> HTTPResponse {
        let transport = try CurlTransport()
        var request = HTTPRequest(method: method, url: "http://127.0.0.1:\(port)\(path)")
        if let accept { request.headers.append("Accept", accept) }
        return try await transport.send(request)
    }
}

/// The metric families without help in a text of Prometheus's format, which `promtool check metrics` reports.
private func familiesWithoutHelp(in text: String) -> [Substring] {
    let lines = text.split(separator: "\n")
    let helped = Set(
        lines.filter { $0.hasPrefix("# HELP ") }.compactMap { $0.split(separator: " ").dropFirst(2).first }
    )
    let samples = lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " && $0 != "{" } }
    let ends = ["_bucket", "_sum", "_count"]
    return samples.filter { sample in
        !helped.contains(sample)
            && !ends.contains { sample.hasSuffix($0) && helped.contains(sample.dropLast($0.count)) }
    }
}

extension HTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}

/// The samples of an OpenMetrics text, by name and labels.
private struct Samples {
    private var values: [String: Double] = [:]

    /// An error in an OpenMetrics text.
    struct FormatError: Error, CustomStringConvertible {
        var description: String
    }

    init(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.suffix(2) == ["# EOF", ""] else { throw FormatError(description: "no end mark") }
        var family = ""
        for line in lines.dropLast(2) {
            let words = line.split(separator: " ")
            if line.hasPrefix("# ") {
                guard words.count >= 4, ["TYPE", "UNIT", "HELP"].contains(words[1]) else {
                    throw FormatError(description: "not understood: \(line)")
                }
                family = String(words[2])
                continue
            }
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                throw FormatError(description: "no value: \(line)")
            }
            guard line.hasPrefix(family), values.updateValue(value, forKey: String(line[..<space])) == nil else {
                throw FormatError(description: "twice, or in the wrong family: \(line)")
            }
        }
    }

    subscript(sample: String) -> Double? { values[sample] }
}
