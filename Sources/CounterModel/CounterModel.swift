// CounterModel
