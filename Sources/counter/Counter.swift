import ArgumentParser
@main struct Counter: ParsableCommand { }
