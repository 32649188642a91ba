import NewsflashBench
import NewsflashCommandLineArguments

@main
enum Program {
    static func main() async {
        await BenchCommand.main()
    }
}
