"""How fast the library is, measured beside a floor: the least that any environment of this shape must do."""
