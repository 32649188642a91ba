import ASCII

extension HTTPHeaders {
    /// Names of fields on which the head of a request depends: those that frame it, and those that a transport adds where
    /// they are missing.
    package struct FramingNames: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let host = FramingNames(rawValue: 1)
        package static let userAgent = FramingNames(rawValue: 2)
        package static let contentLength = FramingNames(rawValue: 4)
        package static let transferEncoding = FramingNames(rawValue: 8)
        /// There are lines that were not looked through: any of the others may be there.
        package static let unknown = FramingNames(rawValue: 16)

        /// Tells what a name is; none for nearly all.
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
