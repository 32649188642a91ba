import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

extension Benchmark {
    /// All steps from the bytes of an event in nine languages to its requests: decoding, gate, routing and rendering.
    static var languages: [Benchmark] {
        [
            each("nine.languages", of: { try NineLanguages(tags: "{category}", events: $0.count).values }) { workload in
                try NineLanguages(tags: "{category}", events: workload.count).step
            },
            each("nine.requests", of: { try NineLanguages(tags: "{category}.{locale}", events: $0.count).values }) {
                try NineLanguages(tags: "{category}.{locale}", events: $0.count).step
            },
        ]
    }
}

/// A newsroom that writes in nine languages.
private struct NineLanguages {
    let values: [[UInt8]]
    let step: ([UInt8]) throws -> Void

    private static let headlines = [
        ("en", "Tsunami warning issued for the Sereno coast", "People in low-lying areas are told to move inland."),
        ("fr", "Alerte au tsunami pour la côte de Sereno", "Les habitants sont appelés à gagner l’intérieur."),
        ("pt-PT", "Emitido alerta de tsunami para a costa de Sereno", "Residentes devem afastar-se da costa."),
        ("pt-BR", "Emitido alerta de tsunami para a costa de Sereno", "Moradores devem se afastar do litoral."),
        ("cs", "Pro pobřeží Serena platí varování před cunami", "Lidé mají odejít do vnitrozemí."),
        ("ru", "Объявлена угроза цунами у побережья Серено", "Жителей просят уйти вглубь суши."),
        ("zh-Hans", "塞雷诺海岸发布海啸警报", "低洼地区居民须立即向内陆转移。"),
        ("ar", "تحذير من تسونامي على ساحل سيرينو", "على السكان التوجه إلى الداخل فوراً."),
        ("hi", "सेरेनो तट के लिए सुनामी की चेतावनी जारी", "निचले इलाकों के लोगों से अंदर जाने को कहा गया।"),
    ]

    init(tags: String, events count: Int) throws {
        let locales = Self.headlines.map(\.0).joined(separator: ", ")
        let text = """
            version: 1
            hubs: { main: { name: hub, connectionStringFile: /run/secrets/hub } }
            locales: { offered: [\(locales)], default: en }
            send: { as: template, tags: "\(tags)" }
            categories: { World: [world, "medtop:03000000"], Science: [science] }
            text: { flash: "Breaking: {headline}", correction: "Correction: {headline}", kill: "Withdrawn: {headline}" }
            """
        let configuration = try ConfigurationReader(environment: [:]).read(text: text, source: "benchmarks")
            .configuration
        let decoder = configuration.source.decoder
        let gate = AdmissionRules(policy: configuration.publishing.policy)
        let planner = EventPlanner(configuration)
        let now = Timestamp(seconds: 1_772_438_401)
        values = (0..<count).map(Self.value)
        step = { value in
            guard case .event(let event, warnings: _) = decoder.decode(value: value.span) else {
                throw BenchmarkError("a record is not an event")
            }
            let digest = ContentDigest(of: event)
            guard case .admit = gate.decide(event, story: nil, digest: digest, now: now) else {
                throw BenchmarkError("an event is not admitted")
            }
            let deadline = gate.policy.deadline(of: event)
            guard
                case .send(let sends, _) = planner.plan(
                    event,
                    for: .categories,
                    story: nil,
                    deadline: deadline,
                    loudness: .usual,
                    now: now
                )
            else { throw BenchmarkError("an event is not planned") }
            blackHole(sends)
        }
    }

    private static func value(_ number: Int) -> [UInt8] {
        let texts = headlines.map { #""\#($0)":{"headline":"\#($1) (\#(number))","summary":"\#($2)"}"# }
        return Array(
            #"""
            {"v":1,"id":"nine-\#(number)","source":"https://cms.example.org/desk","story":"urn:example:story:\#(number)",\#
            "revision":1,"kind":"flash","published":"2026-03-02T08:00:00Z","categories":["world","medtop:20000151"],\#
            "text":{\#(texts.joined(separator: ","))},"url":"https://news.example.org/\#(number)"}
            """#
            .utf8
        )
    }
}
