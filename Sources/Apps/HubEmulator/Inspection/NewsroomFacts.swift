import StrictJSON

/// The features of a newsroom that is connected to the emulator, for the form of the console.
package struct NewsroomFacts: Sendable {
    /// The tags and names of its categories, in display order.
    package var categories: [(tag: String, name: String)]
    /// Its languages; the first is the default.
    package var locales: [String]
    /// Registered phones that the console shows.
    package var phones: [SimulatedPhone]
    /// Its application back end, where phones can sign in, if any.
    package var gateway: GatewayFacts?

    /// Creates the facts.
    ///
    /// - Parameters:
    ///   - categories: The tags and names of the categories.
    ///   - locales: The languages; the first is the default.
    ///   - phones: Registered phones that the console shows.
    ///   - gateway: The application back end, if any.
    package init(
        categories: [(tag: String, name: String)],
        locales: [String],
        phones: [SimulatedPhone] = [],
        gateway: GatewayFacts? = nil
    ) {
        self.categories = categories
        self.locales = locales
        self.phones = phones
        self.gateway = gateway
    }

    func write(to writer: inout JSONWriter) {
        writer.name("categories")
        writer.beginArray()
        for category in categories {
            writer.beginObject()
            writer.member("tag", category.tag)
            writer.member("name", category.name)
            writer.endObject()
        }
        writer.endArray()
        writer.member("locales", locales)
        writer.name("phones")
        writer.beginArray()
        for phone in phones { phone.write(to: &writer) }
        writer.endArray()
        gateway?.write(to: &writer)
    }
}
