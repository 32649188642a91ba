import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTimestamps
import NewsflashWorker

extension Benchmark {
    /// The steps from an event to its requests.
    static var planning: [Benchmark] {
        [
            each("route", of: { try $0.events().map(\.categories) }) { workload in
                let news = workload.configuration.news
                return { categories in
                    guard case .routed(let route) = news.categories.route(categories) else { return }
                    blackHole(try news.audiences.plan(categories: route.categories, locales: news.locales.offered))
                }
            },
            each("render", of: { try $0.events() }) { workload in
                let renderer = workload.renderer
                return { blackHole(renderer.render($0, as: TextKind($0.kind) ?? .alert)) }
            },
            each("payload", of: { try $0.rendered() }) { workload in
                let properties = workload.configuration.news.properties
                return { news in
                    blackHole(
                        try properties.payload(
                            for: news.event,
                            news: news.texts,
                            push: news.push,
                            category: "World,Politics",
                            locale: nil
                        )
                    )
                }
            },
            each("plan", of: { try $0.events() }) { workload in
                let planner = workload.planner
                let now = workload.now.wall
                return {
                    blackHole(
                        planner.plan(
                            $0,
                            for: .categories,
                            story: nil,
                            deadline: $0.published + .seconds(86_400),
                            loudness: .usual,
                            now: now
                        )
                    )
                }
            },
        ]
    }
}

extension Workload {
    fileprivate var renderer: Renderer {
        let news = configuration.news
        return Renderer(locales: news.locales, rules: news.text, limits: news.limits)
    }

    /// The events with their texts and the traits of their pushes.
    fileprivate func rendered() throws -> [(event: NewsEvent, texts: RenderedNews, push: PushTraits)] {
        let renderer = renderer
        return try events().map { event in
            guard let texts = renderer.render(event, as: TextKind(event.kind) ?? .alert) else {
                throw BenchmarkError("an event has no words")
            }
            let push = PushTraits(
                of: event,
                deadline: event.published + .seconds(86_400),
                now: now.wall,
                interruption: .active
            )
            return (event, texts, push)
        }
    }
}
