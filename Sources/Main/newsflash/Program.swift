import NewsflashCommandLineArguments
import NewsflashCommands
import NewsflashOperations
import NewsflashSigning

@main
enum Program {
    static func main() async {
        CryptoLibrary.keepUntilEnd()
        await ProgressNotes.$current.withValue(.standardError) { await Newsflash.main(errors: StandardError.writeText) }
    }
}
