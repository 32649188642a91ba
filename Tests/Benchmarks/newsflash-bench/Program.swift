import Bench
import CommandLineArguments

@main
enum Program {
    static func main() async {
        await BenchCommand.main()
    }
}
