import HTTPServer
import Locks
import StructuredLog
import Timestamps

/// Has a server show the certificate that its files hold now.
final class CertificateWatch: Sendable {
    /// Between two looks at the files, which no request asks for: without a good certificate none may come.
    private static let interval = Duration.seconds(5)

    let files: WatchedFiles<HTTPServerTLS>
    /// The certificate that the server starts with.
    let first: HTTPServerTLS
    /// The server that shows it, while it runs.
    private let server = CurrentValue<HTTPServer?>(nil)
    private let running = Locked<Task<Void, Never>?>(nil)

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - source: The files.
    ///   - logger: Gets a line when the certificate has changed, and when it can no longer be read.
    /// - Throws: ``GatewayStartError`` that names the file.
    init(_ source: GatewayOptions.TLSSource, _ logger: Logger) throws(GatewayStartError) {
        let server = server
        do throws(WatchedFilesError) {
            files = try WatchedFiles("certificate", source.paths, logger: logger) { before throws(WatchedFilesError) in
                do {
                    let tls = try source.read()
                    if before != nil { try server.value?.renew(tls) }
                    return tls
                } catch {
                    throw WatchedFilesError(description: "\(error)")
                }
            }
        } catch {
            throw GatewayStartError(.configuration, error.description)
        }
        first = files.value(now: .now)
    }

    /// Begins to look at the files, in the background.
    ///
    /// - Parameter server: Shows the certificate of the files from now on.
    func open(_ server: HTTPServer) {
        self.server.value = server
        // ``close()`` cancels it and waits for it.
        running.withLock { running in
            running = Task { [files] in
                while !Task.isCancelled {
                    // Throws when cancelled only.
                    try? await Task.sleep(for: Self.interval)
                    _ = files.value(now: .now)
                }
            }
        }
    }

    /// Ends.
    func close() async {
        guard let task = running.withLock({ $0.take() }) else { return }
        task.cancel()
        await task.value
        server.value = nil
    }
}
