extension GatewayOptions {
    /// Parses an origin from a command-line option.
    ///
    /// - Parameter text: Scheme, host and optional port.
    /// - Returns: The origin as browsers send it; `nil` if the text is not an origin.
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
