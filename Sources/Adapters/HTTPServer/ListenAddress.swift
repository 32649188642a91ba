/// A host and a port to listen on.
package struct ListenAddress: Sendable, Equatable {
    /// A name or an address, an IPv6 address without brackets.
    package var host: String
    /// The port; 0 for a free one.
    package var port: UInt16

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - host: A name or an address, an IPv6 address without brackets.
    ///   - port: The port; 0 for a free one.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses an address, such as `127.0.0.1:9464` or `[::1]:9464`.
    ///
    /// - Parameter text: The address; the initializer fails without a port.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: port)
    }
}
