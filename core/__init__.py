"""What every game of the library shares. This package knows no game."""
