/// A text format that scrapers read.
package enum MetricsFormat: Sendable, CaseIterable {
    /// OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
    case openMetrics
    /// The Prometheus text format, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), for tools
    /// that request no format.
    case prometheus

    /// Chooses the format of the response to a scrape.
    ///
    /// - Parameter accept: The request's `Accept` header. Scrapers that support OpenMetrics name it there.
    package init(accept: String?) {
        self = accept?.lowercased().contains("application/openmetrics-text") == true ? .openMetrics : .prometheus
    }

    /// The media type of the response.
    package var contentType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }
}
