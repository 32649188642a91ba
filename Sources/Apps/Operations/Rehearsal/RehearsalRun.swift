package import NewsflashEvents
package import NewsflashTimestamps
package import NewsflashWorker

/// A rehearsal as `newsflash rehearse` runs it: a configuration and options.
package struct RehearsalRun: Sendable {
    /// The configuration with all its sources.
    package var configuration: WorkerConfiguration
    /// The configuration's name in messages.
    package var file: String
    /// The name of the only source to use; `nil` for the first that can decode each record.
    package var source: String?
    package var restarts = RehearsedRestarts()
    package var hubFaults: [HubFault] = []
    /// Whether the report has the requests byte for byte.
    package var showsRequests = false

    package init(_ configuration: WorkerConfiguration, file: String) {
        (self.configuration, self.file) = (configuration, file)
    }

    /// Reads files and rehearses their records.
    ///
    /// - Parameters:
    ///   - files: The files with records.
    ///   - raw: The key and the headers of each file, whose bytes are one record; `nil` for files with a record a line.
    ///   - expected: The file with the expected results.
    ///   - now: The time of records without a time, before the first record with one.
    /// - Returns: The report, and notes for people.
    /// - Throws: ``OperationError`` if a file cannot be read, or names a source or hub that is not configured.
    package func report(
        on files: [String],
        raw: (key: [UInt8]?, headers: [EventHeader])? = nil,
        expected: String? = nil,
        now: Timestamp
    ) throws -> (report: RehearsalReport, notes: [String]) {
        var narrowed = configuration
        if let source { narrowed.sources = [try configuration.sources.named(source, in: file)] }
        try HubFaultArgument.check(hubFaults, against: configuration, of: file)
        var records = try RehearsalFiles.read(files, isRaw: raw != nil)
        if let raw {
            for index in records.indices { (records[index].record.key, records[index].record.headers) = raw }
        }
        try records.checkSources(of: configuration)
        let expectations = try expected.map { name throws(OperationError) in try Expectation.read(name) } ?? []
        records.setTimes(from: expectations)
        let (clients, notes) = showsRequests ? try RenderedRequest.clients(for: narrowed.hubs) : (nil, [])
        let report = try RehearsalReport(
            of: records,
            narrowed,
            restarts: restarts,
            hubFaults: hubFaults,
            clients: clients,
            expectations: expectations,
            now: now
        )
        return (report, notes)
    }
}
