import StrictJSON

/// The minimum requirements for a platform's payload.
enum NativeBody {
    static func check(_ body: [UInt8], format: PushFormat) throws(HubMessageError) {
        guard body.count <= HubMessage.maximumBytes else { throw .tooLarge(body.count) }
        let value: JSONValue
        do {
            value = try JSONReader.read(body)
        } catch {
            throw HubMessageError(
                .invalidBody,
                "the \(format.rawValue) payload is not JSON: \(error.code.rawValue) at byte \(error.offset)"
            )
        }
        guard value.object != nil else {
            throw HubMessageError(.invalidBody, "the \(format.rawValue) payload is not a JSON object")
        }
        // Without it, the hub accepts the message and sends nothing.
        if format == .fcmv1, value[member: "message"]?.object == nil {
            throw HubMessageError(.invalidBody, "the fcmv1 payload has no outer object \"message\"")
        }
    }
}
