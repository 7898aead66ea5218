"""Scripted agents, a module a game: they take what looks best at once, by rules of thumb."""
