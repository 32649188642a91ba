import NewsflashBasics
import NewsflashHTTPServer
import NewsflashObservability
import NewsflashTimestamps

/// Keeps a server's certificate up to date with its files.
final class CertificateMonitor: Sendable {
    /// The interval between two checks of the files. They do not depend on requests, because without a valid certificate there
    /// may be
    /// none.
    private static let interval = Duration.seconds(5)

    let files: WatchedFiles<HTTPServerTLS>
    /// The certificate that the server starts with.
    let first: HTTPServerTLS
    /// The running server.
    private let server = CurrentValue<HTTPServer?>(nil)
    private let running = Locked<Task<Void, Never>?>(nil)

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - source: The files.
    ///   - logger: Logs when the certificate has changed, and when it can no longer be read.
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

    /// Starts checking the files in the background.
    ///
    /// - Parameter server: The server that gets the certificate.
    func open(_ server: HTTPServer) {
        self.server.value = server
        // ``close()`` cancels it and waits for it.
        running.withLock { running in
            running = Task { [files] in
                while !Task.isCancelled {
                    // Throws only if cancelled.
                    try? await Task.sleep(for: Self.interval)
                    _ = files.value(now: .now)
                }
            }
        }
    }

    /// Stops checking.
    func close() async {
        guard let task = running.withLock({ $0.take() }) else { return }
        task.cancel()
        await task.value
        server.value = nil
    }
}

/// A shared value that can be replaced.
final class CurrentValue<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) {
        state = Locked(value)
    }

    /// The current value.
    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
