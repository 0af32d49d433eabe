extension Schema {
    /// Version 7: timers and presets. The `text` of a row of kind 6 says what happened to one, as `TimerRowContent` writes it.
    static let timerEvents = """
        INSERT INTO kind VALUES (6, 'timerEvent');
        CREATE INDEX journalTimer ON journal (position) WHERE kind = 6;
        """
}
