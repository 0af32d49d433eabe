@main
enum CounterPractice { static func main() {} }
