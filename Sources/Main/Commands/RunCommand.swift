import CNewsflashMalloc
import FoundationEssentials
import NewsflashBasics
import NewsflashCommandLineArguments
import NewsflashObservability
import NewsflashOperations
import NewsflashWorker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Read events from Kafka and send them to the hub, until stopped.",
        discussion: """
            SIGTERM or Ctrl-C waits for requests in flight, commits and leaves the group, within delivery.drain (10 s). A
            second signal ends the process at once.

            SIGHUP reads the configuration again. The worker tests the new rules with recent events, with the settings of
            its section 'reload', and then applies or rejects them ('newsflash reload --help').

            Health and metrics: /livez, /readyz, /metrics and /status on admin.listen (127.0.0.1:9464).

            Example:
              newsflash run --config newsflash.yaml
            """
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        FreedMemory.bound()
        let read = try options.read()
        let logger = read.configuration.log.logger
        for warning in read.warnings {
            logger.warning(
                "configuration warning",
                metadata: ["problem": .string(warning.description)]
            )
        }
        defer { logger.flush(within: .seconds(1)) }
        let drain = read.configuration.drain
        let interrupts = InterruptSignals {
            let reason =
                "a thread hangs, so the stop does not finish. The next owner of the partitions may send requests in "
                + "flight again"
            ProcessEnd.force(after: drain + .seconds(10), .unavailable, because: reason, logger: logger)
        }
        interrupts.exitOnSecond()
        let hangups = HangupSignals()
        guard let worker = try await start(read, logger: logger, until: interrupts) else { return }
        let fault = await withTaskGroup(of: WorkerFault?.self) { group in
            group.addTask { await worker.waitForFault() }
            group.addTask {
                await interrupts.wait()
                return nil
            }
            // These are cancelled with the group.
            group.addTask {
                await FreedMemory.returnRegularly()
                return nil
            }
            group.addTask {
                for await _ in hangups.all { worker.reload(.signal) }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        let isClean = await worker.stop()
        if let fault {
            // Logged again as the last line, because the lines before it are about the stop.
            logger.critical(
                "the worker ended because it cannot continue",
                metadata: ["detail": .string(fault.description)]
            )
            throw ExitCode(Self.kind(of: fault).rawValue)
        }
        guard isClean else {
            logger.error(
                "delivery.drain ended before all requests in flight were answered",
                metadata: [
                    "remedy": .string(
                        "the next owner of the partitions may send them again. If this happens at deploys, raise "
                            + "delivery.drain, and keep the stop timeout of the system above it"
                    )
                ]
            )
            throw ExitCode(OperationError.Kind.unavailable.rawValue)
        }
    }

    private static func kind(of fault: WorkerFault) -> OperationError.Kind {
        fault.isOfConfiguration ? .badConfiguration : .unavailable
    }

    /// Starts the worker, unless an interrupt comes first.
    ///
    /// - Returns: The running worker; `nil` if the start was interrupted and nothing runs.
    private func start(
        _ read: ReadConfiguration,
        logger: Logger,
        until interrupts: InterruptSignals
    ) async throws(OperationError) -> Worker? {
        let source = options.source(of: read)
        let start = Task { await Self.started(read.configuration, source, logger: logger) }
        let wasInterrupted = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                _ = await start.value
                return false
            }
            group.addTask {
                await interrupts.wait()
                // The task is cancelled if the start was quicker; then there is nothing to cancel.
                guard !Task.isCancelled else { return false }
                start.cancel()
                return true
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        let result = await start.value
        guard wasInterrupted else { return try result.get() }
        if case .success(let worker) = result { await worker.stop() }
        logger.notice("stopped before the worker had started")
        return nil
    }

    private static func started(
        _ configuration: WorkerConfiguration,
        _ source: ConfigurationSource,
        logger: Logger
    ) async -> Result<Worker, OperationError> {
        do throws(WorkerStartError) {
            let worker = try await Worker.start(configuration, logger: logger, source: source) { fault in
                // If the process ends without leaving, the group waits until the session ends.
                let limit = configuration.drain + .seconds(5)
                ProcessEnd.force(after: limit, kind(of: fault), because: fault.description, logger: logger)
            }
            return .success(worker)
        } catch {
            return .failure(OperationError(error))
        }
    }
}

extension OperationError {
    init(_ error: WorkerStartError) {
        switch error.code {
        case .configuration: self.init(.badConfiguration, error.description)
        case .kafka, .cancelled: self.init(.unavailable, error.description)
        case .system: self.init(.internalError, error.description)
        }
    }
}

/// Limits how much freed memory glibc keeps instead of returning it to the system.
///
/// Kafka's fetches are blocks of up to a megabyte that one thread allocates and another frees. By default, glibc raises its
/// mmap threshold when the first of them is freed, and then allocates them on its heaps. There, smaller live blocks prevent
/// the return of free memory: about 15 MB of 130 with six partitions. With fixed bounds, large blocks return to the system at
/// once, which costs a quarter of a page fault for each event. Bounds in `GLIBC_TUNABLES` are not changed. See `mallopt(3)`.
enum FreedMemory {
    struct Bound: Equatable {
        /// The name in `GLIBC_TUNABLES`.
        let name: String
        /// The parameter of `mallopt(3)`.
        let parameter: Int32
        let bytes: Int32
    }

    private static let all = [
        // Blocks of at least this size get a mapping of their own.
        Bound(name: "glibc.malloc.mmap_threshold", parameter: M_MMAP_THRESHOLD, bytes: 512 << 10),
        // The free memory that a heap keeps at its end.
        Bound(name: "glibc.malloc.trim_threshold", parameter: M_TRIM_THRESHOLD, bytes: 1 << 20),
    ]

    /// Sets the bounds for the whole process. Called before threads start that allocate much memory.
    static func bound() {
        let tunables = ProcessInfo.processInfo.environment["GLIBC_TUNABLES"] ?? ""
        for bound in bounds(besides: tunables) { mallopt(bound.parameter, bound.bytes) }
    }

    /// Returns freed memory between live blocks to the system every ten seconds, until the task is cancelled. See
    /// `malloc_trim(3)`.
    ///
    /// Threads that read much at once, such as after a start, keep up to 20 MB otherwise.
    static func returnRegularly() async {
        while (try? await Task.sleep(for: .seconds(10))) != nil { malloc_trim(0) }
    }

    /// Returns the bounds to set.
    ///
    /// - Parameter tunables: The value of `GLIBC_TUNABLES`, such as `glibc.malloc.trim_threshold=4096:glibc.rtld.nns=4`.
    /// - Returns: The bounds that are not in the tunables.
    static func bounds(besides tunables: String) -> [Bound] {
        let set = Set(tunables.split(separator: ":").map { $0.prefix { $0 != "=" } })
        return all.filter { !set.contains($0.name[...]) }
    }
}

/// Ends a process whose threads may hang.
enum ProcessEnd {
    /// Ends the process after a time, if it is still running. Other threads cannot prevent this.
    ///
    /// - Parameters:
    ///   - limit: The time.
    ///   - kind: The exit code.
    ///   - reason: The reason in the last log line.
    ///   - logger: Logs the reason, and gets one second to write it.
    static func force(after limit: Duration, _ kind: OperationError.Kind, because reason: String, logger: Logger) {
        startThread(named: "process-end") {
            // Nothing signals the semaphore, so this waits for the whole time.
            _ = ThreadSemaphore().wait(within: limit)
            logger.critical("the worker ends, although a part of it hangs", metadata: ["detail": .string(reason)])
            logger.flush(within: .seconds(1))
            _exit(kind.rawValue)
        }
    }
}
