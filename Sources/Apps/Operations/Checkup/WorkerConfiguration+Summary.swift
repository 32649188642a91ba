import NewsflashKafka
import NewsflashPlanning
import NewsflashRendering
import NewsflashRouting
package import NewsflashWorker
import NotificationHubs

extension WorkerConfiguration {
    /// A summary of the checked configuration: hubs, locales, categories with their tags, and topics.
    package var summary: String {
        "\(hubList); locales \(localeList); \(categoryList); from \(topicList) at \(kafka.bootstrapServers)"
    }

    private var topicList: String {
        (sources.count == 1 ? "topic " : "topics ") + sources.map(\.topic).joined(separator: ", ")
    }

    private var hubList: String {
        let names = hubs.map { $0.mode == .live ? $0.label : "\($0.label) (test)" }
        return (names.count == 1 ? "hub " : "hubs ") + names.joined(separator: ", ")
    }

    private var localeList: String {
        news.locales.offered.map { $0 == news.locales.default ? "\($0) (default)" : $0 }.joined(separator: ", ")
    }

    private var categoryList: String {
        let names = news.categories.categories
        let heading = names.count == 1 ? "1 category" : "\(names.count) categories"
        return "\(heading) (\(names.joined(separator: ", "))), tags \(tags.joined(separator: ", "))"
    }

    /// The tags that devices register for: at most 12 of them, and the number of the others.
    package var tags: [String] {
        var all: [String] = []
        for hub in hubs where hub.mode == .live {
            let audiences = try? hub.audiences.plan(
                categories: news.categories.categories,
                locales: news.locales.offered
            )
            let tags = (audiences ?? []).flatMap { $0.expression.tags.map(\.description) }
            all += tags.filter { !all.contains($0) }
        }
        let shown = 12
        return all.count <= shown ? all : all.prefix(shown) + ["and \(all.count - shown) more"]
    }
}
