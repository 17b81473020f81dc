"""The door by which the rooms above the rules find sentences that can be translated."""

from referee.sentence import Sentence, sentence_of

__all__ = ["Sentence", "sentence_of"]
