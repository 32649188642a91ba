import NewsflashBasics
import NewsflashHTTPServer

/// Determines the client of a request that came through proxies.
///
/// Only addresses written by trusted proxies are used. Each proxy appends the address it saw, so the list is read from the
/// right,
/// up to the first address that is not a trusted proxy. A client may have forged the rest.
struct TrustedProxies: Sendable {
    /// The addresses of the trusted proxies.
    let ranges: [AddressRange]

    /// Returns the client of a request.
    ///
    /// - Parameter request: The request as received.
    /// - Returns: The address of the peer if it is not a trusted proxy; otherwise the client according to the headers. If an
    ///   address
    ///   cannot be parsed, or `Forwarded` and `X-Forwarded-For` contain different clients, the nearest known proxy.
    func client(of request: HTTPServerRequest) -> ClientAddress? {
        guard let peer = request.client, isTrusted(peer) else { return request.client }
        let values = request.headers
        let old = values.filter { $0.name.isEqualIgnoringASCIICase(to: "X-Forwarded-For") }.map(\.value)
        let standard = values.filter { $0.name.isEqualIgnoringASCIICase(to: "Forwarded") }.map(\.value)
        switch (old.isEmpty, standard.isEmpty) {
        case (true, true): return peer
        case (false, true): return last(of: Self.forwardedFor(old), behind: peer)
        case (true, false): return last(of: Self.forwarded(standard), behind: peer)
        case (false, false):
            // A proxy that writes one of the headers may forward the other one unchanged from the client.
            let (first, second) = (
                last(of: Self.forwardedFor(old), behind: peer), last(of: Self.forwarded(standard), behind: peer)
            )
            return first == second ? first : peer
        }
    }

    private func isTrusted(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Follows the proxies from the peer towards the client.
    ///
    /// - Parameters:
    ///   - hops: The addresses, the client's first; `nil` for an address that cannot be parsed.
    ///   - peer: The address of the peer.
    /// - Returns: The first address that is not a trusted proxy, otherwise the last known one.
    private func last(of hops: [ClientAddress?], behind peer: ClientAddress) -> ClientAddress {
        var known = peer
        for hop in hops.reversed() {
            guard let hop else { return known }
            known = hop
            guard isTrusted(hop) else { return hop }
        }
        return known
    }

    /// Returns the addresses in `X-Forwarded-For`: `203.0.113.7, 10.0.0.1`.
    static func forwardedFor(_ values: [String]) -> [ClientAddress?] {
        values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).map { part in
            address(part.utf8.withoutBlanks)
        }
    }

    /// Returns the addresses in `Forwarded` (RFC 7239, section 4): `for=203.0.113.7;proto=https, for="[2001:db8::7]:4711"`.
    static func forwarded(_ values: [String]) -> [ClientAddress?] {
        elements(of: values.joined(separator: ",")).map { pairs in
            let nodes = pairs.filter { $0.name == "for" }
            guard nodes.count == 1, let node = nodes.first else { return nil }
            return address(node.value[...])
        }
    }

    /// Parses a list of elements; an invalid element becomes empty.
    private static func elements(of text: String) -> [[(name: String, value: [UInt8])]] {
        var elements: [[(name: String, value: [UInt8])]] = []
        var pairs: [(name: String, value: [UInt8])] = []
        var isSound = true
        var word: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        func endPair() {
            defer { word = [] }
            let bytes = word[...].withoutBlanks
            guard !bytes.isEmpty else { return }
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return isSound = false }
            let name = String(decoding: bytes[..<sign], as: UTF8.self).lowercasedASCII
            pairs.append((name, Array(bytes[(sign + 1)...])))
        }
        func endElement() {
            endPair()
            elements.append(isSound ? pairs : [])
            (pairs, isSound) = ([], true)
        }
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped:
                word.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted: endPair()
            case UInt8(ascii: ",") where !isQuoted: endElement()
            default: word.append(byte)
            }
        }
        if isQuoted || isEscaped { isSound = false }
        endElement()
        return elements
    }

    /// Parses an address written by a proxy, with an optional port; an IPv6 address with a port is in brackets.
    private static func address(_ bytes: ArraySlice<UInt8>) -> ClientAddress? {
        guard bytes.count <= 64, let first = bytes.first else { return nil }
        if first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let rest = bytes[(end + 1)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return ClientAddress(String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self))
        }
        let colons = bytes.count { $0 == UInt8(ascii: ":") }
        guard colons == 1, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            return ClientAddress(String(decoding: bytes, as: UTF8.self))
        }
        guard isPort(bytes[colon...]) else { return nil }
        return ClientAddress(String(decoding: bytes[..<colon], as: UTF8.self))
    }

    /// Whether bytes are a colon and a number of at most five digits.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: ":") && (1...5).contains(bytes.count - 1)
            && bytes.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension Collection<UInt8> {
    /// The bytes without leading and trailing blanks and tabs.
    fileprivate var withoutBlanks: ArraySlice<UInt8> {
        var bytes = Array(self)[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes.drop { $0 == 0x20 || $0 == 0x09 }
    }
}
