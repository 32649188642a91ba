#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Starts a thread of its own, for work that blocks.
///
/// - Parameter body: Runs once, then the thread ends.
/// - Returns: Whether the system had a thread left.
@discardableResult
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(ThreadWork(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    #if canImport(Glibc)
    var thread = pthread_t()
    let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
    }
    #else
    var thread: pthread_t?
    let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
        Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
    #endif
    guard pthread_create(&thread, &attributes, entry, work.toOpaque()) == 0 else {
        work.release()
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
