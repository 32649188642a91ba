import NewsflashBasics
package import NewsflashEvents
package import NewsflashTimestamps

/// The quiet hours of subscribers, by their local clocks.
package struct QuietHours: Sendable, Equatable {
    /// The handling of news in quiet hours.
    package enum Handling: String, Sendable, CaseIterable {
        /// It waits until they are over for all subscribers. If it does not live that long, it is sent silently.
        case `defer`
        /// It is sent silently at once.
        case passive
    }

    package var hours: HoursOfDay
    /// The urgencies to which quiet hours apply; other news is sent as usual.
    package var urgencies: ClosedRange<Int>
    package var then: Handling
    /// The default time zone.
    package var zone: TimeZoneRules?
    /// Time zones by offered locale.
    package var zonesByLocale: [String: TimeZoneRules]
    /// Time zones by the code of an event, such as `edition:cz`, in lower case, because codes are compared without case.
    package let zonesByCode: [String: TimeZoneRules]

    package init(
        hours: HoursOfDay,
        urgencies: ClosedRange<Int> = 4...9,
        then: Handling = .defer,
        zone: TimeZoneRules? = nil,
        zonesByLocale: [String: TimeZoneRules] = [:],
        zonesByCode: [String: TimeZoneRules] = [:]
    ) {
        self.hours = hours
        self.urgencies = urgencies
        self.then = then
        self.zone = zone
        self.zonesByLocale = zonesByLocale
        self.zonesByCode = Dictionary(zonesByCode.map { ($0.key.lowercasedASCII, $0.value) }) { first, _ in first }
    }

    /// Whether a request of an event is in quiet hours. ``QuietHoursDecision/until(_:)`` has the first instant at which they are over for all
    /// of its subscribers, if the event is deferred and that instant is before its deadline.
    ///
    /// Quiet hours do not apply to a flash, a kill and a hold. If codes of the event have time zones, only those count. A
    /// request without a locale contains all offered languages.
    package func rest(of event: NewsEvent, locale: String?, now: Timestamp, deadline: Timestamp) -> QuietHoursDecision {
        guard urgencies.contains(event.urgency), ![.flash, .kill, .hold].contains(event.kind) else { return .awake }
        let zones = zones(categories: event.categories, locale: locale)
        let limit = min(deadline, now + Self.longestSearch)
        guard let waking = firstWaking(of: zones, from: now, before: limit) else { return .silent }
        guard waking > now else { return .awake }
        return then == .defer && waking < deadline ? .until(waking) : .silent
    }

    /// How far to search: if no instant within eight days is outside of all quiet hours, none ever will be.
    private static let longestSearch: Duration = .seconds(8 * 86_400)

    /// The time zones that count, each once.
    private func zones(categories: [String], locale: String?) -> [TimeZoneRules] {
        if !zonesByCode.isEmpty {
            var zones: [TimeZoneRules] = []
            for code in categories.flatMap(CategoryAlternatives.codes) {
                guard let zone = zonesByCode[String(code).lowercasedASCII] else { continue }
                if !zones.contains(where: { $0.name == zone.name }) { zones.append(zone) }
            }
            if !zones.isEmpty { return zones }
        }
        if let locale, let zone = zonesByLocale[locale] { return [zone] }
        if let zone { return [zone] }
        // A request with all languages reaches the subscribers of each.
        return locale == nil ? zonesByLocale.keys.sorted().compactMap { zonesByLocale[$0] } : []
    }

    /// The first instant, not before `now`, outside of all quiet hours; `nil` if it is not before the limit.
    private func firstWaking(of zones: [TimeZoneRules], from now: Timestamp, before limit: Timestamp) -> Timestamp? {
        var instant = now
        while true {
            let ends = zones.compactMap { hours.end(at: instant, in: $0) }
            // All of these periods must be over; others may begin before that.
            guard let end = ends.max() else { return instant }
            guard end < limit else { return nil }
            instant = end
        }
    }
}

/// Whether a request is in quiet hours.
package enum QuietHoursDecision: Sendable, Equatable {
    /// It is not, or its news is exempt.
    case awake
    /// It is, and at this instant they are over for all of its subscribers.
    case until(Timestamp)
    /// It is, and the news cannot wait: it is sent without light and sound.
    case silent
}
