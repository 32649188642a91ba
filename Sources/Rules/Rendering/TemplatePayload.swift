/// The body of a template send.
package struct TemplatePayload: Sendable, Equatable {
    /// A JSON object of strings.
    package let body: [UInt8]
    /// Whether texts were shortened once more so that all languages fit.
    package let isShortened: Bool
    /// Where in ``body`` stands what the clock alone changes: when the push is too old, and how long that is.
    package let clockPart: Range<Int>
}

/// Why an event has no body that the hub would take.
package struct TemplatePayloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The size of the body before anything was shortened.
    package let bytes: Int

    /// The short label for metrics.
    package var label: String { "payload_too_large" }

    /// What is wrong and what to do.
    package var description: String {
        "the properties of the template send take \(bytes) bytes and do not fit in \(TemplateProperties.maximumBytes) "
            + "even with the shortest texts; offer fewer languages or properties"
    }
}
