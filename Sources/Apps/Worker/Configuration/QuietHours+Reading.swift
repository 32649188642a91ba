import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTimestamps

extension QuietHours {
    /// Reads `policy.quiet` and `locales.timeZone`; `nil` without valid quiet hours.
    ///
    /// - Parameters:
    ///   - root: The root section of the file.
    ///   - policy: The section `policy`.
    ///   - news: The settings that names must match; `nil` if they could not be read.
    init?(_ root: ConfigurationSection, _ policy: ConfigurationSection, news: NewsSettings?) {
        let byLocale = root.section("locales").section("timeZone").zonesByLocale(news?.locales.offered)
        let section = policy.section("quiet")
        let hours = section.hours("hours")
        let urgencies = section.range("urgency", in: 1...9) ?? 4...9
        let then = section.choice("then", of: Handling.self)
        let zone = section.timeZone("timeZone")
        let byCode = section.section("timeZones").zonesByCode(news)
        let namesZones =
            section.isGiven("timeZone") || section.isGiven("timeZones") || root.section("locales").isGiven("timeZone")
        if section.isGiven("hours"), !namesZones {
            section.report("timeZone", "is missing; name the subscribers' time zone, such as Europe/Prague")
        }
        if !section.isGiven("hours"), !section.keys.isEmpty {
            section.report("hours", "is missing; write the quiet hours, such as 22:00-07:00")
        }
        guard let hours else { return nil }
        self.init(
            hours: hours,
            urgencies: urgencies,
            then: then,
            zone: zone,
            zonesByLocale: byLocale,
            zonesByCode: byCode
        )
    }
}

extension ConfigurationSection {
    fileprivate func hours(_ key: String) -> HoursOfDay? {
        guard let text = text(key) else { return nil }
        guard let hours = HoursOfDay(text) else {
            report(
                key,
                "'\(text)' is not a period of the day; write two different times, such as 22:00-07:00"
            )
            return nil
        }
        return hours
    }

    /// `locales.timeZone`, by the names of the offered locales.
    fileprivate func zonesByLocale(_ offered: [String]?) -> [String: TimeZoneRules] {
        var zones: [String: TimeZoneRules] = [:]
        for (key, zone) in timeZones() {
            let tag = LanguageTag(key, allowingUnderscores: true)
            let name = offered?.first { $0 == key || LanguageTag($0, allowingUnderscores: true) == tag }
            if offered != nil, name == nil {
                warn(key, "is not one of locales.offered and has no effect")
            }
            zones[name ?? key] = zone
        }
        return zones
    }

    /// `policy.quiet.timeZones`.
    fileprivate func zonesByCode(_ news: NewsSettings?) -> [String: TimeZoneRules] {
        var zones: [String: TimeZoneRules] = [:]
        for (code, zone) in timeZones() {
            if let route = news?.categories.route([code]).route, !route.unknown.isEmpty {
                warn(code, "is not a code of any category; write a code that categories: contains")
            }
            zones[code] = zone
        }
        return zones
    }
}
