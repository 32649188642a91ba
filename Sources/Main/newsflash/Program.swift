import CommandLineArguments
import Commands
import Operations
import Signing

@main
enum Program {
    static func main() async {
        CryptoLibrary.keepUntilEnd()
        await ProgressNotes.$current.withValue(.standardError) { await Newsflash.main(errors: StandardError.writeText) }
    }
}
