import FoundationEssentials
import NewsflashHTTPTransport
import NewsflashHubEmulator
import Testing

@Suite("The console", .timeLimit(.minutes(1)))
struct ConsoleTests {
    @Test func `the console page needs no token, loads files from this hub only and may call gateways`() throws {
        let desk = try Desk()
        let page = desk.hub.answer(EmulatedRequest(method: "GET", target: "/?phones=en,fr,ar")).response
        #expect(page.status == 200)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(String(decoding: page.body, as: UTF8.self).hasPrefix("<!DOCTYPE html>"))
        let policy = try #require(page.headers["Content-Security-Policy"])
        let gateways = "http://127.0.0.1:* http://localhost:* https:"
        let rules = [
            "default-src 'none'", "script-src 'self'", "connect-src 'self' \(gateways)", "frame-ancestors 'none'",
        ]
        for rule in rules {
            #expect(policy.contains(rule))
        }
        #expect(!policy.contains("unsafe"))
        #expect(page.headers["X-Content-Type-Options"] == "nosniff")
        #expect(page.headers["Referrer-Policy"] == "no-referrer")
        #expect(page.headers["Cache-Control"] == "no-cache")
    }

    @Test func `every file of the folder is served unchanged, and the files that it names exist`() throws {
        let desk = try Desk()
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(names.count > 20)
        for name in names {
            let path = name == "index.html" ? "/" : "/console/\(name)"
            let answer = desk.hub.answer(EmulatedRequest(method: "GET", target: path)).response
            let content = try #require(FileManager.default.contents(atPath: "\(Self.folder)/\(name)"))
            #expect(answer.status == 200, "\(name) is missing in ConsoleFiles")
            #expect(answer.body == Array(content), "\(name)")
            let text = String(decoding: content, as: UTF8.self)
            for match in text.matches(of: /(?:from "\.\/|"console\/)([a-z]+\.[a-z]+)"/) {
                #expect(names.contains(String(match.1)), "\(name) names \(match.1)")
            }
        }
    }

    @Test func `scripts and styles are in files of their own, and nothing is loaded from other hosts`() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
            let content = try #require(FileManager.default.contents(atPath: "\(Self.folder)/\(name)"))
            let text = String(decoding: content, as: UTF8.self)
            #expect(!text.contains(/<script>|<style|\sstyle=|\son[a-z]+="|innerHTML/), "\(name)")
            #expect(!text.contains(/(?:src|href|import|url\(|fetch\()\s*[=(]?\s*["']?(?:https?:)?\/\//), "\(name)")
        }
    }

    @Test func `a browser that has a file gets no second copy of it`() throws {
        let desk = try Desk()
        func ask(_ etag: String?) -> HTTPResponse {
            let headers: HTTPHeaders = etag.map { [.init("If-None-Match", $0)] } ?? []
            return desk.hub.answer(EmulatedRequest(method: "GET", target: "/console/app.js", headers: headers)).response
        }
        let etag = try #require(ask(nil).headers["ETag"])
        #expect(ask(etag).status == 304)
        #expect(ask(etag).body.isEmpty)
        #expect(ask("W/\"other\", \(etag)").status == 304)
        #expect(ask("\"other\"").status == 200)
    }

    @Test(arguments: [
        ("GET", "/?api-version=2020-06"), ("POST", "/"), ("GET", "/console/none.js"), ("PUT", "/console/app.js"),
    ])
    func `the hub answers requests for anything that is not a file of the console`(method: String, target: String)
        throws
    {
        let desk = try Desk()
        let answer = desk.hub.answer(EmulatedRequest(method: method, target: target)).response
        #expect([401, 404, 405].contains(answer.status), "\(answer.status)")
        #expect(answer.headers["Content-Security-Policy"] == nil)
    }

    private static let folder: String = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/Sources/Apps/HubEmulator/Console/Resources"
    }()
}
