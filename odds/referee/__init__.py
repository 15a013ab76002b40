"""Real cards played by the written rules; shares rules and tables of plays with the engine, and no arithmetic."""
