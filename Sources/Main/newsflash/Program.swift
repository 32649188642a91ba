import CommandLineArguments
import Commands

@main
enum Program {
    static func main() async {
        await Newsflash.main()
    }
}
