@main enum CounterKeys { static func main() {} }
