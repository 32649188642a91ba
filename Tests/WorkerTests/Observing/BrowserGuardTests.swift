import NewsflashHTTPServer
import NewsflashObservability
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

/// Web pages of strangers that try to read the port for health and metrics through a browser.
@Suite(.timeLimit(.minutes(1)))
struct BrowserGuardTests {
    private let browsers = BrowserGuard(hosts: ["News.example.org", "0.0.0.0"])

    private func status(_ fields: (String, String)...) -> Int? {
        let request = HTTPServerRequest(
            method: "GET",
            target: "/status",
            headers: fields.map { (name: $0.0, value: $0.1) }
        )
        return browsers.refusal(of: request)?.status
    }

    @Test(arguments: [
        "10.1.2.3:9464", "newsflash.prod.svc.cluster.local:9464", "worker.news.example:9464", "newsflash:9464",
    ])
    func `programs are answered under any name, such as Prometheus, the kubelet and curl`(host: String) {
        #expect(status(("Host", host), ("User-Agent", "Prometheus/2.53.1"), ("Accept-Encoding", "gzip")) == nil)
        #expect(status(("Host", host), ("User-Agent", "kube-probe/1.30"), ("Accept", "*/*")) == nil)
        #expect(status(("Host", host)) == nil)
    }

    @Test(arguments: [
        "localhost:9464", "127.0.0.1:9464", "[::1]:9464", "10.1.2.3", "[fe80::1]:9464", "newsflash:9464",
        "worker-1.local", "newsflash.prod.svc", "newsflash.prod.svc.cluster.local:9464", "news.example.org:9464",
    ])
    func `browsers are answered under names that no stranger can own`(host: String) {
        #expect(status(("Host", host), ("Accept-Language", "en"), ("User-Agent", "Mozilla/5.0")) == nil)
    }

    @Test(arguments: [
        ("Accept-Language", ""), ("Origin", "http://evil.example:9464"), ("Referer", "http://evil.example:9464/"),
        ("Sec-Fetch-Site", "same-origin"), ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)"),
    ])
    func `a page whose name was rebound to this machine is refused, whichever field it omits`(
        field: String,
        value: String
    ) {
        for host in ["evil.example:9464", "localhost.evil.example", "127.0.0.1.evil.example:9464", "example.org"] {
            #expect(status(("host", host), (field, value)) == 421)
        }
    }

    @Test(arguments: ["admin.hosts", nil])
    func `a refusal contains a remedy, with the key for more names if one exists`(key: String?) throws {
        let browsers = BrowserGuard(hosts: [], key: key)
        let host = (name: "Host", value: "evil.example:9464")
        let refusal = try #require(
            browsers.refusal(
                of: HTTPServerRequest(
                    method: "GET",
                    target: "/status",
                    headers: [host, (name: "Accept-Language", value: "en")]
                )
            )
        )
        guard case .bytes(let body) = refusal.body else {
            Issue.record("the refusal has no text")
            return
        }
        let advice = "use an address, localhost or the name of the machine"
        let ending = key.map { ", or add the name to \($0)" } ?? ""
        #expect(
            String(decoding: body, as: UTF8.self)
                == "browsers are rejected under the name 'evil.example:9464': \(advice)\(ending)\n"
        )
    }

    @Test
    func `requests by pages of other sites are refused, and a link may open a tab`() {
        let host = ("Host", "localhost:9464")
        #expect(status(host, ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")) == 403)
        #expect(status(host, ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")) == nil)
        #expect(
            status(
                host,
                ("Sec-Fetch-Site", "cross-site"),
                ("Sec-Fetch-Mode", "navigate"),
                ("Sec-Fetch-Dest", "document")
            ) == nil
        )
    }

    @Test
    func `the server refuses such a page, and answers other requests`() async throws {
        let admin = try AdminServer(
            ListenAddress(host: "127.0.0.1", port: 0),
            pages: [AdminServer.Page("/status") { _ in .text("secret\n") }],
            logger: Logger(label: "", handler: DiscardingLogHandler())
        )
        let client = try RawClient(port: admin.port)
        for host in ["evil.example", "127.0.0.1:\(admin.port)"] {
            let end = host == "evil.example" ? "" : "Connection: close\r\n"
            client.send("GET /status HTTP/1.1\r\nHost: \(host)\r\nAccept-Language: en\r\n\(end)\r\n")
        }
        let answers = RawAnswers.split(await client.receiveToEnd())
        #expect(answers?.map(\.status) == [421, 200])
        await admin.stop()
    }
}
