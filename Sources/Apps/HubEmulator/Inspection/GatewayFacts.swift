import StrictJSON

/// An application back end where the phones of the console can sign in, with test users.
///
/// The console shows these passwords to everyone who opens it, so never use passwords of real people.
package struct GatewayFacts: Sendable {
    /// The base URL, such as `http://127.0.0.1:8090`.
    package var url: String
    /// The names and passwords of the users.
    package var users: [(name: String, password: String)]

    /// Creates the facts.
    ///
    /// - Parameters:
    ///   - url: The base URL.
    ///   - users: The names and passwords of fictitious users.
    package init(url: String, users: [(name: String, password: String)]) {
        self.url = url
        self.users = users
    }

    func write(to writer: inout JSONWriter) {
        writer.name("gateway")
        writer.beginObject()
        writer.member("url", url)
        writer.name("users")
        writer.beginArray()
        for user in users {
            writer.beginObject()
            writer.member("name", user.name)
            writer.member("password", user.password)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
