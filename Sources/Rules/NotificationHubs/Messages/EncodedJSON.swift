import FoundationEssentials
import NewsflashStrictJSON
import NotificationHubsCore

/// JSON of values of any type.
enum EncodedJSON {
    /// Encodes a value with sorted names.
    ///
    /// - Throws: ``HubValueError`` if the value cannot be encoded.
    static func bytes(_ value: some Encodable) throws(HubValueError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            // The error may contain a text of the message.
            throw HubValueError(.messageInvalidBody, "the value cannot be encoded as JSON")
        }
    }

    /// Encodes a value.
    ///
    /// - Throws: ``HubValueError`` if the value cannot be encoded.
    static func value(_ value: some Encodable) throws(HubValueError) -> JSONValue {
        let bytes = try bytes(value)
        do throws(JSONError) {
            return try JSONReader.read(bytes)
        } catch {
            throw HubValueError(.messageInvalidBody, "the value cannot be encoded as JSON")
        }
    }
}
