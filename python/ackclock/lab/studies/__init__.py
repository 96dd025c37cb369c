"""The published studies: their numbers beside those of this computer."""
