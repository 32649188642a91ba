import CommandLineArguments
import Commands
import Operations

@main
enum Program {
    static func main() async {
        await ProgressNotes.$current.withValue(.standardError) { await Newsflash.main() }
    }
}
