/// The body of a template send.
package struct TemplatePayload: Sendable, Equatable {
    /// A JSON object of strings.
    package let body: [UInt8]
    /// Whether texts were shortened again so that all languages fit.
    package let isShortened: Bool
    /// The range of the time-dependent properties in ``body``: `expires` and `ttl`.
    package let clockPart: Range<Int>
}

/// The error for an event whose body exceeds the size that the hub accepts.
package struct TemplatePayloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The size of the body in bytes, before anything was shortened.
    package let bytes: Int

    /// The short label for metrics.
    package var label: String { "payload_too_large" }

    /// The problem and what to do.
    package var description: String {
        "the properties of the template send take \(bytes) bytes and do not fit in \(TemplateProperties.maximumBytes) "
            + "even with the shortest texts; configure fewer languages or properties"
    }
}
