import Practice
