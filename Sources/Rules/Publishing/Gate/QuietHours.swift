import ASCII
package import NewsEvents
package import TimeZones
package import Timestamps

/// When readers sleep, by the clocks where they are.
package struct QuietHours: Sendable, Equatable {
    /// What becomes of news that meets sleepers.
    package enum Remedy: String, Sendable, CaseIterable {
        /// It waits until all are awake, where it lives that long, and goes out silently where it does not.
        case `defer`
        /// It goes out silently at once.
        case passive
    }

    package var hours: HoursOfDay
    /// News of other urgencies wakes people.
    package var urgencies: ClosedRange<Int>
    package var then: Remedy
    /// Of readers of whom nothing else is said.
    package var zone: TimeZoneRules?
    /// By offered locale.
    package var zonesByLocale: [String: TimeZoneRules]
    /// By code of an event, such as `edition:cz`, in small letters, since codes compare without case.
    package let zonesByCode: [String: TimeZoneRules]

    package init(
        hours: HoursOfDay,
        urgencies: ClosedRange<Int> = 4...9,
        then: Remedy = .defer,
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

    /// Whether the readers of a request of an event sleep: ``Rest/until(_:)`` has the first instant at which all of them are
    /// awake, if the event waits for them and that instant is before its deadline.
    ///
    /// A flash, a kill and a hold wake everybody. If some codes of the event have time zones of their own, only those count. A
    /// request without a locale carries all offered ones.
    package func rest(of event: NewsEvent, locale: String?, now: Timestamp, deadline: Timestamp) -> Rest {
        guard urgencies.contains(event.urgency), ![.flash, .kill, .hold].contains(event.kind) else { return .awake }
        let zones = zones(categories: event.categories, locale: locale)
        let limit = min(deadline, now + Self.longestSearch)
        guard let waking = firstWaking(of: zones, from: now, before: limit) else { return .silent }
        guard waking > now else { return .awake }
        return then == .defer && waking < deadline ? .until(waking) : .silent
    }

    /// Where no hour of a week suits all, none will.
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
        // What carries all languages reaches the readers of each.
        return locale == nil ? zonesByLocale.keys.sorted().compactMap { zonesByLocale[$0] } : []
    }

    /// The first instant from one on at which nobody sleeps; `nil` where there is none before the limit.
    private func firstWaking(of zones: [TimeZoneRules], from now: Timestamp, before limit: Timestamp) -> Timestamp? {
        var instant = now
        while true {
            let ends = zones.compactMap { hours.end(at: instant, in: $0) }
            // All of these have to be over, whatever the others do by then.
            guard let end = ends.max() else { return instant }
            guard end < limit else { return nil }
            instant = end
        }
    }
}

/// Whether readers sleep.
package enum Rest: Sendable, Equatable {
    /// They do not, or the news is worth waking them.
    case awake
    /// They do; at that instant all of them are awake.
    case until(Timestamp)
    /// They do, and the news cannot wait: it goes out without light and sound.
    case silent
}
