import NewsflashObservability
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OpenMetricsTextTests {
    private let registry = MetricsRegistry()

    @Test func `an empty registry has only the end mark`() {
        #expect(registry.text() == "# EOF\n")
        #expect(registry.text(.prometheus) == "")
    }

    @Test func `families are sorted by name and series by creation`() {
        let latency = registry.histogram(
            "hub_request_seconds",
            help: "Time of a request.",
            unit: "seconds",
            dimensions: [("hub", "news")],
            buckets: [0.005, 1]
        )
        latency.observe(0.25)
        latency.observe(2)
        registry.counter("events_total", help: "Events by \"outcome\".", dimensions: [("outcome", "b")]).increment(
            by: 2
        )
        registry.counter("events", help: "Ignored.", dimensions: [("outcome", "a"), ("lane", "flash")]).increment()
        registry.gauge("lag").set(3)
        registry.gauge("age_seconds", help: "Age of the\noldest \\ open event.", unit: "seconds") { 1.5 }
        #expect(
            registry.text() == #"""
                # TYPE age_seconds gauge
                # UNIT age_seconds seconds
                # HELP age_seconds Age of the\noldest \\ open event.
                age_seconds 1.5
                # TYPE events counter
                # HELP events Events by \"outcome\".
                events_total{outcome="b"} 2
                events_total{outcome="a",lane="flash"} 1
                # TYPE hub_request_seconds histogram
                # UNIT hub_request_seconds seconds
                # HELP hub_request_seconds Time of a request.
                hub_request_seconds_bucket{hub="news",le="0.005"} 0
                hub_request_seconds_bucket{hub="news",le="1.0"} 1
                hub_request_seconds_bucket{hub="news",le="+Inf"} 2
                hub_request_seconds_count{hub="news"} 2
                hub_request_seconds_sum{hub="news"} 2.25
                # TYPE lag gauge
                lag 3.0
                # EOF

                """#
        )
    }

    @Test func `the older format names a counter's family like its samples, without units and end mark`() {
        registry.counter("events", help: "Events by \"outcome\" \\ lane.", unit: "events").increment()
        registry.gauge("age_seconds", help: "Age.", unit: "seconds").set(2)
        registry.histogram("wait_seconds", buckets: [1]).observe(0.5)
        #expect(
            registry.text(.prometheus) == #"""
                # HELP age_seconds Age.
                # TYPE age_seconds gauge
                age_seconds 2.0
                # HELP events_total Events by "outcome" \\ lane.
                # TYPE events_total counter
                events_total 1
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="1.0"} 1
                wait_seconds_bucket{le="+Inf"} 1
                wait_seconds_count 1
                wait_seconds_sum 0.5

                """#
        )
    }

    @Test(
        arguments: [
            (nil, .prometheus), ("*/*", .prometheus), ("text/plain;version=0.0.4", .prometheus),
            ("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics),
            ("Application/OpenMetrics-Text", .openMetrics),
        ] as [(String?, MetricsFormat)]
    )
    func `a scraper gets the format that it requests, or the common one`(accept: String?, format: MetricsFormat) {
        #expect(MetricsFormat(accept: accept) == format)
    }

    @Test func `each format has its own media type`() {
        #expect(MetricsFormat.openMetrics.contentType == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(MetricsFormat.prometheus.contentType == "text/plain; version=0.0.4; charset=utf-8")
    }

    @Test(arguments: [
        ("", #"g{v=""} 0.0"#),
        ("a\"b", #"g{v="a\"b"} 0.0"#),
        ("a\\b", #"g{v="a\\b"} 0.0"#),
        ("a\nb\r\n", #"g{v="a\nb\#r\n"} 0.0"#),
        ("ü😀", #"g{v="ü😀"} 0.0"#),
    ])
    func `label values are escaped`(value: String, expected: String) {
        _ = registry.gauge("g", dimensions: [("v", value)])
        #expect(registry.text() == "# TYPE g gauge\n\(expected)\n# EOF\n")
    }

    @Test(
        arguments: [
            (0, "0.0"), (-1.5, "-1.5"), (1e100, "1e+100"), (5e-05, "5e-05"), (.nan, "NaN"), (.infinity, "+Inf"),
            (-.infinity, "-Inf"),
        ] as [(Double, String)]
    )
    func `numbers have the spelling of the format`(value: Double, expected: String) {
        registry.gauge("g").set(value)
        #expect(registry.text() == "# TYPE g gauge\ng \(expected)\n# EOF\n")
    }

    @Test(arguments: [
        ("age_seconds", "seconds", true), ("age", "seconds", false), ("ageseconds", "seconds", false),
        ("age_", "", false),
    ])
    func `a unit is shown if the name ends in it`(name: String, unit: String, isShown: Bool) {
        _ = registry.gauge(name, unit: unit)
        #expect(registry.text().contains("# UNIT \(name) \(unit)\n") == isShown)
    }
}
