import StrictJSON
import Timestamps

extension RequestRecord {
    /// Writes the request with its response.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("sequence")
        writer.value(sequence)
        writer.text("time", time.rfc3339)
        writer.text("method", method)
        writer.text("target", target)
        if let status {
            writer.name("status")
            writer.value(status)
        }
        writer.text("cut", cut?.rawValue)
        if isByFault {
            writer.name("fault")
            writer.value(true)
        }
        writer.text("error", error)
        writer.text("reason", reason)
        token?.write(to: &writer)
        writer.text("trackingId", trackingID)
        writer.text("clientTrackingId", clientTrackingID)
        writer.name("answeredMs")
        writer.value(milliseconds)
        writer.endObject()
    }

    /// The duration in milliseconds, with a resolution of one microsecond.
    package var milliseconds: Double { (duration / .milliseconds(1) * 1000).rounded() / 1000 }
}

extension RequestRecord.Token {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.name("token")
        writer.beginObject()
        writer.text("signedFor", signedFor)
        writer.text("asked", asked)
        writer.text("keyName", keyName)
        writer.endObject()
    }
}
