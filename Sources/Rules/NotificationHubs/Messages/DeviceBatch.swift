import NewsflashStrictJSON

/// The body of a direct send to many devices: a `multipart/mixed` of the notification and the handles.
package enum DeviceBatch {
    /// The maximum number of handles in one request.
    package static let maximumHandles = 1000

    /// Encodes the two parts.
    ///
    /// - Parameters:
    ///   - message: The notification.
    ///   - handles: 1 to ``maximumHandles`` handles.
    ///   - boundary: The boundary; must not occur in the message.
    /// - Returns: The body; its lines end in CR LF.
    static func body(_ message: HubMessage, handles: [String], boundary: String) -> [UInt8] {
        var devices = JSONWriter(reservingCapacity: handles.count * 72)
        devices.beginArray()
        for handle in handles { devices.value(handle) }
        devices.endArray()
        var body: [UInt8] = []
        body.reserveCapacity(message.body.count + devices.bytes.count + 400)
        func append(_ text: String) { body.append(contentsOf: text.utf8) }
        append("--\(boundary)\r\nContent-Type: \(message.contentType)\r\n")
        append("Content-Disposition: inline; name=notification\r\n\r\n")
        body.append(contentsOf: message.body)
        append("\r\n--\(boundary)\r\nContent-Type: application/json\r\n")
        append("Content-Disposition: inline; name=devices\r\n\r\n")
        body.append(contentsOf: devices.bytes)
        append("\r\n--\(boundary)--\r\n")
        return body
    }
}
