import ASCII

extension HTTPHeaders {
    /// The fields that affect the head of a request: the framing fields, and the fields that a transport adds if they are
    /// missing.
    package struct FramingNames: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let host = FramingNames(rawValue: 1)
        package static let userAgent = FramingNames(rawValue: 2)
        package static let contentLength = FramingNames(rawValue: 4)
        package static let transferEncoding = FramingNames(rawValue: 8)
        /// Some lines were not examined, so any of the other fields may be present.
        package static let unknown = FramingNames(rawValue: 16)

        /// Classifies a name; empty for nearly all names.
        init(_ name: Span<UInt8>) {
            switch name.count {
            case 4 where name.reads("host"): self = .host
            case 10 where name.reads("user-agent"): self = .userAgent
            case 14 where name.reads("content-length"): self = .contentLength
            case 17 where name.reads("transfer-encoding"): self = .transferEncoding
            default: self = []
            }
        }
    }
}

extension Span<UInt8> {
    fileprivate func reads(_ text: StaticString) -> Bool {
        text.withSpan { isEqualIgnoringASCIICase(to: $0) }
    }
}
