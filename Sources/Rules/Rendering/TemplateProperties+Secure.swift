import NewsEvents
import StrictJSON

extension TemplateProperties {
    /// Builds the body of a send whose words do not travel.
    ///
    /// It has a token in place of the event, as `id`; `delivery` is `secure`, so that an app knows to fetch the words by it. What
    /// devices show is the notice, under every name that has words otherwise, so that no template shows an empty alert.
    ///
    /// - Parameters:
    ///   - token: Stands for the event; see ``SecureTokens``.
    ///   - notice: What is shown.
    ///   - push: What lets platforms replace and forget it.
    ///   - locale: The language, as the configuration writes it, of a send that goes to its readers only.
    /// - Returns: A JSON object of strings, at most ``maximumBytes`` long.
    /// - Throws: ``TemplatePayloadError`` where it would be longer.
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
        let body = writer.takeBytes()
        guard body.count <= Self.maximumBytes else { throw TemplatePayloadError(bytes: body.count) }
        return TemplatePayload(body: body, isShortened: false, clockPart: clockPart..<rest)
    }
}
