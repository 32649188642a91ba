import Glibc
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(
    .timeLimit(.minutes(1)),
    .needsNginx,
    .needsOpenSSL
)
struct NginxTests {
    @Test func `HTTP/1.1 over TLS is used if HTTP/2 is offered too, with one request after the other`()
        async throws
    {
        let nginx = try await Nginx()
        let transport = try CurlTransport.forTests { $0.caFile = nginx.certificate.certificateFile }
        defer { transport.shutdown() }
        let request = HTTPRequest(method: .post, url: nginx.url, body: Array("{}".utf8))

        let first = try await transport.send(request)
        for _ in 1...40 {
            let next = try await transport.send(request)

            #expect(next.body == first.body)
        }

        // The body contains the protocol and the number of the connection.
        #expect(String(decoding: first.body, as: UTF8.self).hasPrefix("HTTP/1.1 "))
        #expect(first.headers["x-seen"] == "newsflash")
    }

    @Test func `many parallel requests over TLS are all answered`() async throws {
        let nginx = try await Nginx()
        let transport = try CurlTransport.forTests {
            $0.caFile = nginx.certificate.certificateFile
            $0.maximumConnectionsPerHost = 8
        }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()
        let request = HTTPRequest(method: .post, url: nginx.url, body: Array("{}".utf8))

        transport.start((1...400).map { HTTPExchange(id: $0, request: request) }, receiver: recorder)
        let results = try await recorder.results.atLeast(400)

        #expect(results.allSatisfy { $0.response?.status == 200 })
        #expect(Set(results.compactMap(\.response?.body)).count <= 8)
    }

    @Test func `a large body is sent over TLS, and the same body comes back`() async throws {
        let nginx = try await Nginx()
        let transport = try CurlTransport.forTests { $0.caFile = nginx.certificate.certificateFile }
        defer { transport.shutdown() }
        let body = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

        let put = try await transport.send(
            HTTPRequest(method: .put, url: nginx.url + "kept/body", body: body)
        )
        #expect(put.status == 201)
        // In pieces, because it is larger than an answer may be.
        for start in stride(from: 0, to: body.count, by: 1 << 19) {
            let range: HTTPHeaders = [.init("Range", "bytes=\(start)-\(start + (1 << 19) - 1)")]
            let piece = try await transport.send(
                HTTPRequest(method: .get, url: nginx.url + "kept/body", headers: range)
            )
            #expect(piece.status == 206)
            #expect(piece.body.elementsEqual(body[start..<(start + (1 << 19))]))
        }
    }
}

/// nginx with HTTP/2 over TLS on a free port, in the foreground.
private final class Nginx {
    static let program = "/usr/sbin/nginx"

    let certificate: Certificate
    let url: String
    private let child: ChildProcess

    init() async throws {
        let certificate = try await Certificate()
        let (listener, port) = try Loopback.listen()
        defer { Loopback.close(listener) }
        url = "https://127.0.0.1:\(port)/"
        let folder = certificate.folder.path
        let configurationFile = certificate.folder.file("nginx.conf")
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder);"
        }
        // nginx removes its pid file when it ends, so that must never be a device.
        let configuration = """
            daemon off;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            error_log stderr;
            events {}
            http {
                access_log off;
                \(folders.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(certificate.certificateFile);
                    ssl_certificate_key \(certificate.keyFile);
                    client_max_body_size 8m;
                    location /kept/ {
                        root \(folder);
                        dav_methods PUT;
                        create_full_put_path on;
                    }
                    location / {
                        add_header X-Seen $http_user_agent;
                        return 200 "$server_protocol $connection";
                    }
                }
            }
            """
        guard let file = fopen(configurationFile, "w") else {
            throw ChildProcess.Failure(description: "\(configurationFile) cannot be written")
        }
        fputs(configuration, file)
        fclose(file)
        self.certificate = certificate
        // The socket listens already: nginx inherits it, so no connection can come too early.
        child = try ChildProcess(
            [Self.program, "-c", configurationFile, "-e", "stderr"],
            environment: ["NGINX=3;"],
            listener: listener
        )
    }

    deinit {
        child.terminate()
    }
}
