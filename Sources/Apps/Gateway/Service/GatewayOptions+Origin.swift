extension GatewayOptions {
    /// Reads an origin as an option has it.
    ///
    /// - Parameter text: Scheme, host and port alone.
    /// - Returns: As browsers write it; nothing where it is none.
    package static func origin(_ text: String) -> String? {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#@*,;\"\\".utf8.contains($0) })
            else { return nil }
            return text.lowercased()
        }
        return nil
    }
}
