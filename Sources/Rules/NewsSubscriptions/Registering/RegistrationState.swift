import StrictJSON
import Timestamps

/// What the device knows of its registration.
enum RegistrationState: Sendable, Equatable {
    /// There is none.
    case none
    /// There is one with this content, as of then.
    case registered(id: String, digest: String, at: Timestamp)
    /// One is wanted and could not be made yet; where there is an id it may be that of an older content.
    case pending(id: String?, since: Timestamp)
    /// It is to be removed and could not be yet.
    case leaving(id: String, since: Timestamp)

    /// The name of the registration, where it has one.
    var id: String? {
        switch self {
        case .none: nil
        case .registered(let id, _, _), .leaving(let id, _): id
        case .pending(let id, _): id
        }
    }
}

/// A state with the place it is about, as one line of JSON.
struct KeptRegistration: Equatable {
    /// The digest of the hub or back end, and of who has signed in there.
    var place: String
    var state: RegistrationState

    init(place: String, state: RegistrationState) {
        self.place = place
        self.state = state
    }

    /// Reads a line; nothing for what this version did not write.
    init?(_ text: String) {
        guard let json = try? JSONReader.read(text), json[member: "v"]?.int64 == 1,
            let place = json[member: "place"]?.string,
            let at = (json[member: "at"]?.string).flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.place = place
        let id = json[member: "id"]?.string
        switch (json[member: "state"]?.string, id, json[member: "digest"]?.string) {
        case ("registered", let id?, let digest?): state = .registered(id: id, digest: digest, at: at)
        case ("pending", _, _): state = .pending(id: id, since: at)
        case ("leaving", let id?, _): state = .leaving(id: id, since: at)
        default: return nil
        }
    }

    var text: String {
        var writer = JSONWriter()
        func write(_ name: String, digest: String? = nil, _ at: Timestamp) {
            writer.beginObject()
            writer.member("v", 1)
            writer.member("place", place)
            writer.member("state", name)
            writer.member("id", state.id)
            writer.member("digest", digest)
            writer.member("at", at.rfc3339)
            writer.endObject()
        }
        switch state {
        case .none: return ""
        case .registered(_, let digest, let at): write("registered", digest: digest, at)
        case .pending(_, let since): write("pending", since)
        case .leaving(_, let since): write("leaving", since)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
