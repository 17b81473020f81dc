"""Helpers of the tests: random legal rounds of Koi-Koi, and a second scorer that is slow and plain."""

import random
from collections.abc import Iterable

from referee.koikoi.captures import legal_takes
from referee.koikoi.dealing import hand_claim, misdeal
from referee.koikoi.events import Call, Deal, Declare, Draw, Event, Play
from referee.koikoi.judge import judge
from referee.koikoi.piles import cards_of, pile_of
from referee.koikoi.round import Phase, begin
from referee.koikoi.ruleset import RuleSet

LIGHTS = {0, 8, 28, 40, 44}
ANIMALS = {4, 12, 16, 20, 24, 29, 32, 36, 41}
RIBBONS = {1, 5, 9, 13, 17, 21, 25, 33, 37, 42}
CHAFF = set(range(48)) - LIGHTS - ANIMALS - RIBBONS


def naive_yaku(
    cards: Iterable[int], rules: RuleSet, *, called: bool = False, field: Iterable[int] = ()
) -> dict[str, int]:
    """Score a pile card by card, straight from the table of yaku, without masks or tables."""
    pile = set(cards)
    worth = rules.yaku
    lights, animals, ribbons = pile & LIGHTS, pile & ANIMALS, pile & RIBBONS
    chaff = pile & (CHAFF | {32}) if rules.sake_cup.counts_as_kasu else pile & CHAFF
    yaku: dict[str, int] = {}

    if len(lights) == 5:
        yaku["goko"] = worth.goko.points
    elif len(lights) == 4:
        name = "ame_shiko" if 40 in lights else "shiko"
        yaku[name] = getattr(worth, name).points
    elif len(lights) == 3 and 40 not in lights:
        yaku["sanko"] = worth.sanko.points

    boar = {20, 24, 36} <= animals
    if boar:
        yaku["inoshikacho"] = worth.inoshikacho.points + worth.inoshikacho.extra * (len(animals) - 3)
    if len(animals) >= 5 and not (boar and rules.stacking.animals == "best"):
        yaku["tane"] = worth.tane.points + worth.tane.extra * (len(animals) - 5)

    red, blue = {1, 5, 9} <= ribbons, {21, 33, 37} <= ribbons
    if rules.stacking.ribbons == "best":
        if red and blue:
            yaku["akatan_aotan"] = worth.akatan_aotan.points + worth.akatan_aotan.extra * (len(ribbons) - 6)
        elif red:
            yaku["akatan"] = worth.akatan.points + worth.akatan.extra * (len(ribbons) - 3)
        elif blue:
            yaku["aotan"] = worth.aotan.points + worth.aotan.extra * (len(ribbons) - 3)
        elif len(ribbons) >= 5:
            yaku["tan"] = worth.tan.points + worth.tan.extra * (len(ribbons) - 5)
    else:
        if red and blue and worth.akatan_aotan.points:
            yaku["akatan_aotan"] = worth.akatan_aotan.points + worth.akatan_aotan.extra * (len(ribbons) - 6)
        if red:
            yaku["akatan"] = worth.akatan.points + worth.akatan.extra * (len(ribbons) - 3)
        if blue:
            yaku["aotan"] = worth.aotan.points + worth.aotan.extra * (len(ribbons) - 3)
        if len(ribbons) >= 5:
            yaku["tan"] = worth.tan.points + worth.tan.extra * (len(ribbons) - 5)

    if len(chaff) >= 10:
        yaku["kasu"] = worth.kasu.points + worth.kasu.extra * (len(chaff) - 10)
    if not (rules.viewing.rained_off and 40 in pile):
        others = any(yaku.values())
        weather = (("hanamizake", 8, 11, rules.viewing.rain), ("tsukimizake", 28, 12, rules.viewing.fog))
        for name, light, month, when in weather:
            looked_at = {"never": set(), "captured": pile, "on_field": set(field)}[when]
            spoiled = any(card // 4 + 1 == month for card in looked_at)
            if {light, 32} <= pile and not spoiled and (others or not rules.viewing.beside_another):
                value = getattr(worth, name)
                dear = called and value.points_after_call is not None
                yaku[name] = value.points_after_call if dear else value.points
    return {name: points for name, points in yaku.items() if points}


def shuffled_deal(
    rng: random.Random, players: int, rules: RuleSet, *, number: int = 1, dealer: int = 0
) -> tuple[Deal, list[int]]:
    """Deal until neither field nor hands ask for something special; return the deal and the stock."""
    size = rules.deal.size(players)
    while True:
        deck = rng.sample(range(48), 48)
        hands = tuple(tuple(deck[seat * size.hand : (seat + 1) * size.hand]) for seat in range(players))
        dealt = players * size.hand
        deal = Deal(number, players, dealer, tuple(deck[dealt : dealt + size.field]), hands)
        claims = [hand_claim(seat, pile_of(hand), players, rules) for seat, hand in enumerate(hands)]
        if misdeal(deal, rules) is None and not any(claims):
            return deal, deck[dealt + size.field :]


def random_round(
    rng: random.Random,
    players: int,
    rules: RuleSet,
    *,
    number: int = 1,
    dealer: int = 0,
    show_hands: bool = True,
    call_rate: float = 0.6,
) -> list[Event]:
    """Return the events of a lawful round with random choices, up to its end."""
    deal, stock = shuffled_deal(rng, players, rules, number=number, dealer=dealer)
    if not show_hands:
        deal = Deal(deal.number, deal.players, deal.dealer, deal.field)
    events: list[Event] = [deal]
    hands = [list(hand) for hand in shuffled_hands(deal, stock, rng, rules)]
    table = begin(deal, rules)
    while table.result is None:
        seat = table.turn
        event: Play | Draw | Declare
        if table.phase is Phase.DECISION:
            can_call = bool(table.hand_counts[seat]) and not rules.calls.limit
            call = can_call and rng.random() < call_rate
            event = Declare(seat, Call.KOIKOI if call else Call.STOP)
        else:
            draws = table.phase is Phase.DRAW
            card = stock.pop(0) if draws else hands[seat].pop(rng.randrange(len(hands[seat])))
            take = rng.choice(legal_takes(card, table.field))
            event = (Draw if draws else Play)(seat, card, cards_of(take))
        events.append(event)
        verdict = judge(table, event, len(events) - 1)
        assert verdict.lawful, verdict
        (table,) = verdict.futures
    return events


def shuffled_hands(
    deal: Deal, stock: list[int], rng: random.Random, rules: RuleSet
) -> tuple[tuple[int, ...], ...]:
    """Return the hands of a deal; where it hides them, any hands that fit field and stock."""
    if deal.hands is not None:
        return deal.hands
    rest = [card for card in range(48) if card not in deal.field and card not in stock]
    rng.shuffle(rest)
    size = rules.deal.size(deal.players).hand
    return tuple(tuple(rest[seat * size : (seat + 1) * size]) for seat in range(deal.players))
