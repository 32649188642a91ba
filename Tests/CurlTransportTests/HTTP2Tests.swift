import CurlTransport
import Glibc
import HTTPTransport
import Testing

@Suite(
    .timeLimit(.minutes(1)),
    .enabled("nginx or the openssl program is not installed") {
        ChildProcess.isInstalled(Nginx.program) && ChildProcess.isInstalled(Certificate.program)
    }
)
struct HTTP2Tests {
    @Test func `speaks HTTP/2 where the server offers it, many requests on one connection`() async throws {
        let nginx = try Nginx()
        let transport = try CurlTransport.forTests { $0.caFile = nginx.certificate.certificateFile }
        defer { transport.shutdown() }
        let request = HTTPRequest(method: .post, url: nginx.url, body: Array("{}".utf8))
        let recorder = ResultRecorder()

        let first = try await transport.send(request)
        transport.start((1...40).map { HTTPExchange(id: $0, request: request) }, receiver: recorder)
        let results = await recorder.results.atLeast(40)

        // The body holds the protocol and the number of the connection.
        #expect(String(decoding: first.body, as: UTF8.self).hasPrefix("HTTP/2.0 "))
        #expect(first.headers["x-seen"] == "newsflash")
        #expect(results.allSatisfy { $0.response?.body == first.body })
    }

    @Test func `speaks HTTP/1.1 where it is told to`() async throws {
        let nginx = try Nginx()
        let transport = try CurlTransport.forTests {
            $0.caFile = nginx.certificate.certificateFile
            $0.httpVersion = .http1
        }
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: nginx.url))

        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("HTTP/1.1 "))
    }
}

/// nginx with HTTP/2 over TLS on a free port, in the foreground.
private final class Nginx {
    static let program = "/usr/sbin/nginx"

    let certificate: Certificate
    let url: String
    private let child: ChildProcess
    private let configurationFile: String

    init() throws {
        let certificate = try Certificate()
        let (listener, port) = try Loopback.listen()
        defer { Loopback.close(listener) }
        url = "https://127.0.0.1:\(port)/"
        let configurationFile = certificate.folder + "/nginx.conf"
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(certificate.folder);"
        }
        // nginx removes its pid file when it ends, so that must never be a device.
        let configuration = """
            daemon off;
            worker_processes 1;
            pid \(certificate.folder)/nginx.pid;
            error_log stderr;
            events {}
            http {
                access_log off;
                \(folders.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(certificate.certificateFile);
                    ssl_certificate_key \(certificate.keyFile);
                    location / {
                        add_header X-Seen $http_user_agent;
                        return 200 "$server_protocol $connection";
                    }
                }
            }
            """
        guard let file = fopen(configurationFile, "w") else { throw ChildProcess.Failure(program: Self.program) }
        fputs(configuration, file)
        fclose(file)
        self.certificate = certificate
        self.configurationFile = configurationFile
        // The socket listens already: nginx takes it over, and no connection can come too early.
        child = try ChildProcess(
            Self.program,
            ["-c", configurationFile, "-e", "stderr"],
            environment: ["NGINX=3;"],
            listener: listener
        )
    }

    deinit {
        child.stop()
        unlink(configurationFile)
    }
}
