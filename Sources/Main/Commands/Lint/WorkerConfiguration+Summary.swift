import Kafka
import NotificationHubs
import Rendering
import Routing
import Worker

extension WorkerConfiguration {
    /// What was checked: hub, languages, categories with their tags.
    var summary: String {
        "hub \(hub.name); locales \(localeList); \(categoryList); from topic \(source.topic) at \(kafka.bootstrapServers)"
    }

    private var localeList: String {
        news.locales.offered.map { $0 == news.locales.default ? "\($0) (default)" : $0 }.joined(separator: ", ")
    }

    private var categoryList: String {
        let names = news.categories.categories
        let heading = names.count == 1 ? "1 category" : "\(names.count) categories"
        return "\(heading) (\(names.joined(separator: ", "))), tags \(tags.joined(separator: ", "))"
    }

    /// The tags that devices register for, a few of them where there are many.
    var tags: [String] {
        let audiences = try? news.audiences.plan(categories: news.categories.categories, locales: news.locales.offered)
        let all = (audiences ?? []).flatMap { $0.expression.tags.map(\.description) }
        let shown = 12
        return all.count <= shown ? all : all.prefix(shown) + ["and \(all.count - shown) more"]
    }
}
