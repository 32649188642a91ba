/// A text format that scrapers read.
package enum MetricsFormat: Sendable, CaseIterable {
    /// OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
    case openMetrics
    /// Prometheus's own, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), which tools read that
    /// ask for nothing.
    case prometheus

    /// The format to answer a scrape with.
    ///
    /// - Parameter accept: The request's header `Accept`. A scraper that knows OpenMetrics names it there.
    package init(accept: String?) {
        self = accept?.lowercased().contains("application/openmetrics-text") == true ? .openMetrics : .prometheus
    }

    /// The media type of an answer.
    package var contentType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }
}
