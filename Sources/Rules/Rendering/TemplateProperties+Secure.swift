import NewsEvents
import StrictJSON

extension TemplateProperties {
    /// Builds the body of a send without the event's text.
    ///
    /// It contains a token instead of the event, as `id`; `delivery` is `secure`, so that an app fetches the text with the
    /// token. The notice is the value of every property that otherwise contains text, so that no template shows an empty
    /// alert.
    ///
    /// - Parameters:
    ///   - token: The token of the event; see ``SecureTokens``.
    ///   - notice: The notice to show.
    ///   - push: The traits of the push.
    ///   - locale: The language, as written in the configuration, of a send that goes only to its subscribers.
    /// - Returns: A JSON object of strings, at most ``maximumBytes`` long.
    /// - Throws: ``TemplatePayloadError`` if it would be longer.
    package func payload(
        forSecure token: String,
        notice: SecureNotice,
        push: PushTraits,
        locale: String? = nil
    ) throws(TemplatePayloadError) -> TemplatePayload {
        let texts = notice.news.locales
        let main = locale.flatMap { name in texts.firstIndex { $0.locale == name } } ?? notice.news.defaultIndex
        var writer = JSONWriter(reservingCapacity: 512 + texts.count * 128)
        writer.beginObject()
        writer.member("id", token)
        writer.member(Self.deliveryName, EventDelivery.secure.rawValue)
        writer.member("collapse_id", push.collapseID)
        let clockPart = writer.bytes.count
        writer.member("expires", push.expiresText)
        writer.member("ttl", push.timeToLiveText)
        let rest = writer.bytes.count
        writer.member("interruption", push.interruption.appleName)
        writer.member("sound", push.sound)
        writer.member("headline", texts[main].headline)
        writer.member("summary", texts[main].headline)
        for (index, text) in texts.enumerated() {
            writer.member(headlineNames[index], text.headline)
            writer.member(summaryNames[index], text.headline)
        }
        for (name, value) in choices(id: token, notice: notice.news, main: main) { writer.member(name, value) }
        writer.endObject()
        let body = writer.finish()
        guard body.count <= Self.maximumBytes else { throw TemplatePayloadError(bytes: body.count) }
        return TemplatePayload(body: body, isShortened: false, clockPart: clockPart..<rest)
    }
}
