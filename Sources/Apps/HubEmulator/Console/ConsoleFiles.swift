import NewsflashHTTPTransport
import NewsflashSigning

/// The console: one page at `/` and its files below `/console/`. Their sources are in `Resources`; the program embeds them.
///
/// Served without a token, like the inspection. The page itself uses the hub's REST API.
enum ConsoleFiles {
    private static let page = "text/html; charset=utf-8"
    private static let style = "text/css; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
    private static let image = "image/svg+xml"

    /// The files by path; created once, at the first request for any of them.
    private static let files: [String: ConsoleFile] = [
        "/": ConsoleFile(page, PackageResources.index_html),
        // Requested by browsers that show a document without a link to an icon, such as the inspection.
        "/favicon.ico": ConsoleFile(image, PackageResources.flash_svg),
        "/console/console.css": ConsoleFile(style, PackageResources.console_css),
        "/console/panels.css": ConsoleFile(style, PackageResources.panels_css),
        "/console/device.css": ConsoleFile(style, PackageResources.device_css),
        "/console/flash.svg": ConsoleFile(image, PackageResources.flash_svg),
        "/console/account.js": ConsoleFile(script, PackageResources.account_js),
        "/console/accountview.js": ConsoleFile(script, PackageResources.accountview_js),
        "/console/app.js": ConsoleFile(script, PackageResources.app_js),
        "/console/delivery.js": ConsoleFile(script, PackageResources.delivery_js),
        "/console/deliverylist.js": ConsoleFile(script, PackageResources.deliverylist_js),
        "/console/devicelist.js": ConsoleFile(script, PackageResources.devicelist_js),
        "/console/dom.js": ConsoleFile(script, PackageResources.dom_js),
        "/console/events.js": ConsoleFile(script, PackageResources.events_js),
        "/console/faults.js": ConsoleFile(script, PackageResources.faults_js),
        "/console/gateway.js": ConsoleFile(script, PackageResources.gateway_js),
        "/console/handles.js": ConsoleFile(script, PackageResources.handles_js),
        "/console/hub.js": ConsoleFile(script, PackageResources.hub_js),
        "/console/inspector.js": ConsoleFile(script, PackageResources.inspector_js),
        "/console/languages.js": ConsoleFile(script, PackageResources.languages_js),
        "/console/lockscreen.js": ConsoleFile(script, PackageResources.lockscreen_js),
        "/console/memory.js": ConsoleFile(script, PackageResources.memory_js),
        "/console/messageform.js": ConsoleFile(script, PackageResources.messageform_js),
        "/console/newsevent.js": ConsoleFile(script, PackageResources.newsevent_js),
        "/console/newsroom.js": ConsoleFile(script, PackageResources.newsroom_js),
        "/console/phone.js": ConsoleFile(script, PackageResources.phone_js),
        "/console/phones.js": ConsoleFile(script, PackageResources.phones_js),
        "/console/phoneview.js": ConsoleFile(script, PackageResources.phoneview_js),
        "/console/platforms.js": ConsoleFile(script, PackageResources.platforms_js),
        "/console/refusals.js": ConsoleFile(script, PackageResources.refusals_js),
        "/console/registering.js": ConsoleFile(script, PackageResources.registering_js),
        "/console/samples.js": ConsoleFile(script, PackageResources.samples_js),
        "/console/sender.js": ConsoleFile(script, PackageResources.sender_js),
        "/console/sendform.js": ConsoleFile(script, PackageResources.sendform_js),
        "/console/sends.js": ConsoleFile(script, PackageResources.sends_js),
        "/console/story.js": ConsoleFile(script, PackageResources.story_js),
        "/console/submission.js": ConsoleFile(script, PackageResources.submission_js),
        "/console/templates.js": ConsoleFile(script, PackageResources.templates_js),
        "/console/textfields.js": ConsoleFile(script, PackageResources.textfields_js),
        "/console/theme.js": ConsoleFile(script, PackageResources.theme_js),
        "/console/themeswitch.js": ConsoleFile(script, PackageResources.themeswitch_js),
        "/console/times.js": ConsoleFile(script, PackageResources.times_js),
    ]

    /// The file at a path without its query; `nil` if there is none.
    static func file(at path: String) -> ConsoleFile? {
        files[path]
    }
}

/// A file of the console.
struct ConsoleFile: Sendable, Equatable {
    /// The media type, with the character set of text.
    let contentType: String
    let bytes: [UInt8]
    /// Changes with the content, so that a browser revalidates without downloading the file again.
    let etag: String

    /// The permissions of the page: load files from this origin, and connect to it and to a gateway on this machine or over
    /// TLS.
    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "connect-src 'self' http://127.0.0.1:* http://localhost:* https:",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    init(_ contentType: String, _ bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        self.etag = "\"" + Base64.encode(Array(SHA256Digest.hash(of: bytes).prefix(12))) + "\""
    }

    /// Answers a request: with the file, or with 304 if the browser has it already.
    func answer(to request: EmulatedRequest) -> HTTPResponse {
        let headers: HTTPHeaders = [
            .init("Content-Type", contentType),
            .init("Content-Security-Policy", Self.contentSecurityPolicy),
            .init("X-Content-Type-Options", "nosniff"),
            .init("Referrer-Policy", "no-referrer"),
            .init("Cache-Control", "no-cache"),
            .init("ETag", etag),
        ]
        let known = request.headers["If-None-Match"]?.contains(etag) ?? false
        return known
            ? HTTPResponse(status: 304, headers: headers) : HTTPResponse(status: 200, headers: headers, body: bytes)
    }
}
