// CounterTUI
