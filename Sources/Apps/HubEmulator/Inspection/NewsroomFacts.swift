import StrictJSON

/// What a newsroom behind the emulator offers, for the console's form.
package struct NewsroomFacts: Sendable {
    /// Tags and names of its categories, in order.
    package var categories: [(tag: String, name: String)]
    /// Its languages, the default one first.
    package var locales: [String]
    /// Phones that are registered already, for the console to show.
    package var phones: [SimulatedPhone]
    /// Its application back end, where phones can sign in.
    package var gateway: GatewayFacts?

    /// Makes the facts.
    ///
    /// - Parameters:
    ///   - categories: Tags and names.
    ///   - locales: The default one first.
    ///   - phones: Phones that are registered already.
    ///   - gateway: Its application back end.
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
