import StrictJSON

/// An application back end that the console's phones can sign in to, with users for trying things out.
///
/// The console shows the passwords to everybody who opens it: never those of anybody.
package struct GatewayFacts: Sendable {
    /// Where it answers, such as `http://127.0.0.1:8090`.
    package var url: String
    /// Names and passwords.
    package var users: [(name: String, password: String)]

    /// Makes the facts.
    ///
    /// - Parameters:
    ///   - url: Where it answers.
    ///   - users: Names and passwords of users who are nobody.
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
