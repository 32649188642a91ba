import CCurl
import Dispatch
package import HTTPTransport
import Locks
import Threads

/// Sends HTTP requests over libcurl, all on one thread of its own.
///
/// Connections are kept and reused. Redirects are answers, not followed. A request is never sent a second time in silence:
/// where libcurl would repeat a POST on a fresh connection because a kept one turned out dead after the body was written,
/// the exchange ends with an error whose `mayHaveBeenReceived` is true.
package final class CurlTransport: HTTPTransport {
    private let loop: CurlLoop

    /// Makes a transport and starts its thread.
    ///
    /// - Parameter configuration: How to connect and how long to wait.
    /// - Throws: ``HTTPTransportError`` when libcurl or the thread cannot start.
    package init(_ configuration: CurlTransportConfiguration = CurlTransportConfiguration()) throws(HTTPTransportError)
    {
        loop = try CurlLoop(configuration)
        let loop = loop
        guard startThread({ loop.run() }) else {
            throw HTTPTransportError(.other, "no thread left for HTTP requests", mayHaveBeenReceived: false)
        }
    }

    package func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        loop.start(exchanges, receiver: receiver)
    }

    /// Ends everything that is under way with ``HTTPTransportError/Code/cancelled``, and then the thread.
    ///
    /// Blocks until the thread has ended, which is as long as the receivers take.
    package func shutdown() {
        loop.shutdown()
    }
}

/// `curl_global_init`, once for the process.
let globalInitialization: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
