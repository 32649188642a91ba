import HubEmulator
import StructuredLog

/// The log of `newsflash hub --log`: one line for each request, on the standard error.
struct RequestLog: Sendable {
    let logger: Logger

    /// Creates a log that never blocks on the standard error.
    init(logger: Logger = Logger(label: "newsflash", handler: TextLogHandler())) {
        self.logger = logger
    }

    /// Logs a request, as a warning if it was refused.
    func record(_ request: RequestRecord) {
        let level = request.isRefusal ? LogLevel.warning : .info
        logger.log(level: level, request.isRefusal ? "refused" : "answered", metadata: Self.metadata(of: request))
    }

    private static func metadata(of request: RequestRecord) -> LogMetadata {
        var metadata: LogMetadata = [
            "http.method": .string(request.method), "http.target": .string(request.target),
            "latency.ms": .double(request.milliseconds),
        ]
        if let status = request.status { metadata["http.status"] = LogValue(status) }
        if let cut = request.cut { metadata["cut"] = .string(cut.rawValue) }
        if request.isByFault { metadata["fault"] = true }
        metadata["error"] = request.error.map { .string($0) }
        metadata["reason"] = request.reason.map { .string($0) }
        metadata["hub.tracking.id"] = request.trackingID.map { .string($0) }
        metadata["client.tracking.id"] = request.clientTrackingID.map { .string($0) }
        metadata["token.asked"] = request.token.map { .string($0.asked) }
        metadata["token.signed.for"] = request.token?.signedFor.map { .string($0) }
        metadata["token.key.name"] = request.token?.keyName.map { .string($0) }
        return metadata
    }
}
