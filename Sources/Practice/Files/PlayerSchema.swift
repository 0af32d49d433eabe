/// The tables of a player's file. Times are microseconds since 1970, durations microseconds.
enum PlayerSchema {
    static let tables = """
        CREATE TABLE player (
            id TEXT NOT NULL, name TEXT NOT NULL, avatar_name TEXT NOT NULL, created_at INTEGER NOT NULL,
            coins INTEGER NOT NULL CHECK (coins >= 0), total_coins_earned INTEGER NOT NULL,
            consecutive_days INTEGER NOT NULL, last_solved_day TEXT, last_played_at INTEGER,
            today TEXT, today_played INTEGER NOT NULL, today_activities_completed INTEGER NOT NULL,
            preferred_activities TEXT NOT NULL
        ) STRICT;
        CREATE TABLE activity_progress (
            activity_type TEXT PRIMARY KEY, current_level INTEGER NOT NULL,
            highest_level_completed INTEGER NOT NULL, total_levels_completed INTEGER NOT NULL,
            total_time_spent_seconds INTEGER NOT NULL, average_solve_time_seconds REAL NOT NULL,
            success_rate REAL NOT NULL, last_played_at INTEGER, mistake_count INTEGER NOT NULL,
            hint_request_count INTEGER NOT NULL, quit_count INTEGER NOT NULL, current_difficulty REAL NOT NULL
        ) STRICT;
        CREATE TABLE learning_profile (
            average_solve_time INTEGER NOT NULL, mistake_frequency REAL NOT NULL, quit_rate REAL NOT NULL,
            session_duration INTEGER NOT NULL, hint_usage_rate REAL NOT NULL,
            celebration_engagement INTEGER NOT NULL, global_difficulty_level REAL NOT NULL,
            puzzle_grid_size_preference INTEGER NOT NULL, puzzle_color_count INTEGER NOT NULL,
            labyrinth_complexity REAL NOT NULL, number_range INTEGER NOT NULL,
            responds_well_to_hints INTEGER NOT NULL, needs_more_encouragement INTEGER NOT NULL,
            prefers_short_sessions INTEGER NOT NULL, last_updated INTEGER
        ) STRICT;
        CREATE TABLE preferred_activity_type (activity_type TEXT PRIMARY KEY, play_count INTEGER NOT NULL) STRICT;
        CREATE TABLE time_of_day_preference (hour INTEGER PRIMARY KEY, session_count INTEGER NOT NULL) STRICT;
        CREATE TABLE session (
            session_id INTEGER PRIMARY KEY, start_time INTEGER NOT NULL, start_hour INTEGER NOT NULL,
            end_time INTEGER NOT NULL, duration INTEGER NOT NULL, celebration_tap_delay_total INTEGER NOT NULL,
            celebration_taps INTEGER NOT NULL, idle_time_total INTEGER NOT NULL,
            voice_line_completions INTEGER NOT NULL, has_ended INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE level (
            id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES session, activity_type TEXT NOT NULL,
            level INTEGER NOT NULL, solved INTEGER NOT NULL, mistakes INTEGER NOT NULL, hints INTEGER NOT NULL,
            solve_time INTEGER NOT NULL, ended_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX level_of_session ON level (session_id);
        CREATE TABLE coin (
            id INTEGER PRIMARY KEY, at INTEGER NOT NULL, amount INTEGER NOT NULL, reason TEXT NOT NULL,
            subject TEXT NOT NULL, level INTEGER
        ) STRICT;
        CREATE TABLE video_record (
            id INTEGER PRIMARY KEY, video_id TEXT NOT NULL, video_title TEXT NOT NULL, watched_at INTEGER NOT NULL,
            duration INTEGER NOT NULL, completed INTEGER NOT NULL, is_of_today INTEGER NOT NULL
        ) STRICT;
        """
}
