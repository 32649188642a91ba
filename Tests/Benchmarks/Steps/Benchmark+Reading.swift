import NewsflashEvents
import NewsflashPublishing
import NewsflashStrictJSON

extension Benchmark {
    /// The steps from a record's bytes to its event.
    static var reading: [Benchmark] {
        [
            each("express.look", of: \.values) { _ in { blackHole(ExpressPrefilter.mayBeExpress($0.span)) } },
            each("json.read", of: \.values) { _ in { blackHole(try JSONReader.read($0.span)) } },
            each("decode", of: \.values) { workload in
                let decoder = workload.decoder
                return { blackHole(decoder.decode(value: $0.span)) }
            },
            each("digest", of: { try $0.events() }) { _ in { blackHole(ContentDigest(of: $0)) } },
        ]
    }
}
