"""Names that look alike: letters that are drawn like those of another script, and forms of one character.

Nobody sees at a screen that the first letter of a name is Cyrillic. Whoever typed it makes two people of one,
or of two one; so whoever can decide it is told.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

_DRAWN_LIKE: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԚԜаеѕіјорсухүһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιυϲ口力二工夕卜八へべぺ髙﨑𠮷",
    "ABESIJKMHOPCTYXYQWaesijopcyxyhqwABEZHIKMNOPTYXoviucロカニエタトハヘベペ高崎吉",
)
"""Letters that common fonts draw alike (Unicode's UTS 39, confusables); and of Japanese names the printed
forms that keyboards offer beside the usual ones."""


def drawn(name: str) -> str:
    """Return a name by its looks: the same for all that people cannot tell apart, in capitals or not."""
    plain = " ".join(unicodedata.normalize("NFKC", name.translate(_DRAWN_LIKE)).split())
    return plain.translate(_DRAWN_LIKE).casefold()


def alike(names: Iterable[str]) -> list[list[str]]:
    """Return the groups of different names that look alike, each sorted."""
    groups = defaultdict[str, set[str]](set)
    for name in names:
        groups[drawn(name)].add(name)
    return [sorted(group) for _, group in sorted(groups.items()) if len(group) > 1]
