#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Starts a thread of its own, for loops that block.
///
/// Work that blocks must not run on the threads of Swift's cooperative pool, which are as few as the cores.
///
/// - Parameter body: Runs once, then the thread ends. Whoever has to wait for that makes the body say so.
/// - Returns: Whether the system had a thread left.
@discardableResult
public func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(ThreadWork(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    #if canImport(Glibc)
    var thread = pthread_t()
    let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        if let argument = unsafe argument {
            unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
    }
    #else
    var thread: pthread_t?
    let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
        unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
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
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
