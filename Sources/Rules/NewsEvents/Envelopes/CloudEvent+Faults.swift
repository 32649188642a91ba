import ASCII
import StrictJSON

/// Faults of records that look like CloudEvents, in words that say what to do.
extension CloudEvent {
    /// Looks for what keeps attributes from being those of a CloudEvent.
    ///
    /// - Parameters:
    ///   - prefix: Before the names of attributes, as `ce_` in headers.
    ///   - attribute: Returns the text of an attribute.
    /// - Returns: The fault; `nil` if all are right.
    static func fault(prefix: String = "", in attribute: (String) -> String?) -> String? {
        if let version = attribute("specversion"), version != "1.0" {
            return "\(prefix)specversion: only CloudEvents 1.0 is read, not \(version.printable(limit: 16))"
        }
        let missing = ["id", "source", "type", "specversion"].filter { attribute($0) == nil }.map { prefix + $0 }
        return missing.isEmpty ? nil : "a CloudEvent has no \(missing.joined(separator: ", "))"
    }

    /// Returns why headers that look like attributes are of no use; `nil` without such headers, or if all are right.
    static func fault(inHeaders headers: [EventHeader]) -> String? {
        if headers.contains(where: { $0.name.hasPrefix("ce_") }) {
            return fault(prefix: "ce_") { headers.text("ce_" + $0) }.map { "\($0), so no ce_ header was read" }
        }
        // `ce-id` is the form of HTTP.
        let header = headers.first { ["ce_", "ce-"].contains($0.name.prefix(3).lowercased()) }
        guard let name = header?.name.printable(limit: 32) else { return nil }
        return "\(name) is not read: in Kafka the attributes of a CloudEvent are ce_id, ce_source and the like"
    }

    /// Returns what to say of a structured CloudEvent that is not one event in JSON.
    static func unsupportedForm(_ headers: [EventHeader]) -> String {
        let isBatch = headers.contains { header in
            guard header.name.isEqualIgnoringASCIICase(to: "content-type"), let value = header.value else {
                return false
            }
            return String(decoding: value, as: UTF8.self).lowercasedASCII.hasPrefix("application/cloudevents-batch")
        }
        return isBatch
            ? "a batch of CloudEvents is not read: send each as a record of its own"
            : "of structured CloudEvents only application/cloudevents+json is read: send that, or binary mode with JSON"
    }

    /// Whether a document is a list of envelopes.
    static func isBatch(_ document: JSONValue) -> Bool { document.array?.first.map(isEnvelope) ?? false }

    /// The words to add to the fault of such a list.
    static let batchHint = "; of a batch of CloudEvents send each as a record of its own"
}

extension DecodeOutcome {
    /// Adds to a rejection why the record's headers were of no use: what they would have given may be what is missing.
    func explained(byHeaders headers: [EventHeader]) -> DecodeOutcome {
        guard case .rejected(var rejection) = self, rejection.reason == .schema,
            let fault = CloudEvent.fault(inHeaders: headers)
        else { return self }
        rejection.detail = String(rejection.detail.prefix(1024 - fault.utf8.count - 2)) + "; " + fault
        return .rejected(rejection)
    }
}
