#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Starts a separate thread, for loops that block.
///
/// Blocking work must not run on the threads of Swift's cooperative pool, which has only one thread per core.
///
/// - Parameters:
///   - name: The name in debuggers and `top -H`; Linux keeps the first 15 bytes.
///   - body: Runs once, then the thread ends. To wait for that, let the body signal its end.
/// - Returns: Whether the thread could be created.
@discardableResult
public func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(ThreadWork(name: name, body: body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    #if canImport(Glibc)
    var thread = pthread_t()
    let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        if let argument = unsafe argument {
            unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
    }
    #else
    var thread: pthread_t?
    let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
        unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
    #endif
    guard unsafe pthread_create(&thread, &attributes, entry, work.toOpaque()) == 0 else {
        unsafe work.release()
        return false
    }
    return true
}

private final class ThreadWork: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        nameThisThread()
        body()
    }

    private func nameThisThread() {
        #if canImport(Glibc)
        // Swift does not import glibc's pthread_setname_np, which writes to the same file.
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8)
        _ = unsafe write(file, bytes, bytes.count)
        _ = close(file)
        #else
        _ = unsafe pthread_setname_np(name)
        #endif
    }
}
