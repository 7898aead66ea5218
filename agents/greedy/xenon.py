"""Greedy for Xenon Profiteer: in every decision the action that is worth most by rules of thumb, counted in stars.

It looks at the table, its own hand and its own System as a multiset, as the rules let it, and at nothing else.
"""

from __future__ import annotations

import numpy as np

from agents.scripted import Outlook, Rules, Scripted, put
from core import registry
from core.game import Game
from core.jit import jit

__all__ = ["RULES", "make"]

XENON = registry.game_class("xenon")
ACTIONS = XENON.action_layout
legal, standings = XENON.kernels.legal, XENON.kernels.standings


def words(block: str) -> list[str]:
    """What follows the colon in the names of a block of actions."""
    return [name.partition(":")[2] for name in ACTIONS.names[ACTIONS.slices[block]]]


HELD_WORDS = words("discard")
DECK_WORDS = [word for word in words("choose") if word not in HELD_WORDS]
CARDS = [*HELD_WORDS, *DECK_WORDS]
"""Every card in the order of its number: elements and upgrades, which can be held, then contracts and pipelines."""


def per_card(values: dict[str, float]) -> tuple[float, ...]:
    """A number for every card that can be held, 0 where none is given."""
    return tuple(values.get(word, 0.0) for word in HELD_WORDS)


N, O, KR, XE = (CARDS.index(word) for word in ("n", "o", "kr", "xe"))
FEED, REFLUX, SILICA_GEL, SWING, REBOILER, REFRIGERATION = (
    CARDS.index(word) for word in ("feed", "reflux", "silica_gel", "swing_adsorption", "reboiler", "refrigeration")
)
RELIEF_VALVE, MASS_FLOW, PACKED_COLUMNS, CONTRACTOR, AGENT = (
    CARDS.index(word) for word in ("relief_valve", "mass_flow", "packed_columns", "contractor", "agent")
)
PORTFOLIO, MDMA, OSHA, LOBBYIST = (
    CARDS.index(word) for word in ("investment_portfolio", "mdma_representative", "osha_inspection", "lobbyist")
)
UPGRADE, CONTRACT, PIPELINE = CARDS.index("feed"), CARDS.index("m1"), CARDS.index("pipe_n")
HELD, MARKET_UPGRADE = len(HELD_WORDS), CARDS.index(words("choose")[len(DECK_WORDS)])

OVERTIME_YES, AIR_ONCE, AIR_FEED, PEEK_DRAW = (
    ACTIONS.id(name) for name in ("overtime:yes", "air", "air:feed", "peek:draw")
)
PEEK_DISCARD, COMPLETE_FULL, STARS, END_DISCARD, BID_NONE = (
    ACTIONS.id(name) for name in ("peek:discard", "complete:full", "privilege:stars", "end:discard", "bid:none")
)
WIPE, WIPE_ENGINEER, BID, MOVE, BUY, BUY_INSTALL, PLAY, USE = (
    ACTIONS.start(block) for block in ("wipe", "wipe:engineer", "bid", "move", "buy", "buy_install", "play", "use")
)
INSTALL, INSTALL_FREE, DISCARD, CHOOSE = (
    ACTIONS.start(block) for block in ("install", "install_free", "discard", "choose")
)
CHOOSE_UPGRADE = CHOOSE + len(DECK_WORDS)
SLOTS = BUY_INSTALL - BUY - (PLAY - BUY_INSTALL)
PLAY_CARDS = tuple(CARDS.index(word) for word in words("play"))
USE_CARDS = tuple(CARDS.index(word) for word in words("use"))
USES = tuple(USE_CARDS.index(card) if card in USE_CARDS else -1 for card in range(HELD))
DISTILL_STEP, REFLUX_PHASE = XENON.phases.index("distill"), XENON.phases.index("reflux")

SEATS = XENON.max_players
# The outlook: numbers for each player, of the mover's hand, and of the game
PARTY_NUMBERS, HAND_NUMBERS, GAME_NUMBERS = 23, 12, 6
OUTLOOK = PARTY_NUMBERS * SEATS + HAND_NUMBERS + GAME_NUMBERS
FREE = 20.0
"""Added to what costs nothing, so that it comes first."""

# Rules of thumb, in stars

RULES: Rules = {
    "money": 0.25,  # of $1
    "rich": 15.0,  # more money than this is worth no more than this
    "stored_xe": 1.5,  # of a Xe that a contract takes
    "goal": 0.6,  # for each of the upgrades and contracts that bring the end nearer
    "last": 3.0,  # for the one that triggers the end, if that wins; as much is lost if it does not
    "ability": per_card(
        {
            "feed": 0.6,
            "reflux": 2.4,
            "silica_gel": 3.0,
            "relief_valve": 2.4,
            "expansion_turbine": 6.0,
            "swing_adsorption": 3.0,
            "reboiler": 2.4,
            "refrigeration": 1.2,
            "sales_executive": 0.8,
            "agent": 2.0,
            "packed_columns": 4.0,
        }
    ),  # of an upgrade installed at the start of the game, besides its star
    "in_system": per_card(
        {
            "silica_gel": 0.5,
            "relief_valve": 0.4,
            "expansion_turbine": 1.0,
            "swing_adsorption": 0.5,
            "packed_columns": 0.8,
            "contractor": 1.5,
            "mass_flow": 0.6,
            "reclaiming": 0.8,
            "reboiler": 0.2,
        }
    ),  # of an upgrade bought for the own System
    "hope": 0.3,  # added to the chance of an isolation
    "to_come": 2.0,  # contracts, and bids on them, that an upgrade is yet to earn from
    "missing": 0.4,  # for each Xe that a contract lacks
    "pipeline": 2.0,  # of one bought at the start of the game
    "token": (
        0.1,
        0.1,
        0.5,
        0.1,
    ),  # on any card; of what the card is wanted for; of a lobbyist's star; effort of a move
    "keep": (-1.0, 2.0),  # Xe that a hand must promise to be kept; money to come before an upgrade in it is bought
    "air": (2.5, 0.1, 0.15),  # of a packet; less for each N, O, Kr there is; less for the packets squared
    "wipe": (0.6, 0.2, 0.1),  # of a new line; less of the best card in it; more by an engineer
    "complete": (-1.0, 1.0),  # of a contract for all its Xe; of stars for a privilege
}

# The hand


@jit
def is_installed(s, seat, card):
    return s["installed"][seat][card - UPGRADE] == 1


@jit
def is_at_hand(s, seat, card):
    """Playable, or installed and not yet used this turn."""
    used = seat == s["player"] and s["used"][USES[card]] == 1
    return s["hand"][seat][card] > 0 or (is_installed(s, seat, card) and not used)


@jit
def dirty(s, seat):
    """Those of N, O, Kr that are in hand, as a bit set."""
    hand = s["hand"][seat]
    held = 0
    for element in range(XE):
        if hand[element] > 0:
            held |= 1 << element
    return held


@jit
def kinds(elements):
    """How many there are in a bit set of N, O, Kr."""
    return (elements & 1) + (elements >> 1 & 1) + (elements >> 2 & 1)


@jit
def impurities(s, seat):
    """How many of N, O, Kr are in hand."""
    return kinds(dirty(s, seat))


@jit
def isolates(s, seat, distills):
    """Whether the hand's Xe can be isolated with so many distills and the cards at hand."""
    hand = s["hand"][seat]
    if hand[XE] == 0:
        return False
    left = impurities(s, seat) - distills
    silica = hand[O] > 0 and is_at_hand(s, seat, SILICA_GEL)
    swing = hand[N] > 0 and is_at_hand(s, seat, SWING)
    single = (hand[N] == 1 and not swing) or (hand[O] == 1 and not silica) or hand[KR] == 1
    if silica:
        left -= 1
    if swing:
        left -= 1
    if single and is_at_hand(s, seat, REFLUX):
        left -= 1
    return left <= 0


@jit
def cycle(s, seat, card):
    """Copies of a card among all that the seat draws, holds and discards."""
    return among(s, seat, card, 3)


@jit
def dirt(s, seat):
    """N, O, Kr among all that the seat draws, holds and discards."""
    return cycle(s, seat, N) + cycle(s, seat, O) + cycle(s, seat, KR)


@jit
def no_such(clean, pile, draws):
    """The chance that ``draws`` cards of a pile are all among its ``clean`` ones."""
    chance = 1.0
    for k in range(min(draws, pile)):
        chance *= max(0.0, clean - k) / (pile - k)
    return chance


@jit
def full_hand(s, t, seat):
    """How many cards the seat draws up to."""
    return np.int64(t["hand_size"]) + count(s["pipelines"][seat])


@jit
def keep_worth(s, t, w, seat, kept):
    """Xe to expect from the next hand if of N, O, Kr those in the bit set ``kept`` stay, and Xe and upgrades do."""
    hand = s["hand"][seat]
    draws = full_hand(s, t, seat) - np.int64(hand[XE])
    for card in range(UPGRADE, HELD):
        draws -= hand[card]
    for element in range(XE):
        if kept >> element & 1:
            draws -= hand[element]
    draws = max(0, draws)
    pile = 0
    xe = np.int64(s["system"][seat][XE])
    for card in range(HELD):
        pile += np.int64(s["system"][seat][card])
    reshuffled = s["overtime"][seat] == 1 or pile < draws
    if reshuffled:
        xe += s["discard"][seat][XE]
        for card in range(HELD):
            pile += np.int64(s["discard"][seat][card])
    distills = 1 if s["overtime"][seat] else 2
    extent = 2 if reshuffled else 1
    # chance that kept and drawn kinds together are few enough, by the sets of kinds that may be drawn
    chance = 0.0
    for allowed in range(8):
        if allowed & kept == kept and kinds(allowed) <= distills:
            chance += exactly(s, seat, pile, draws, kept, allowed, extent)
    return (w["hope"] + chance) * (hand[XE] + (draws * xe / pile if pile > 0 else 0.0))


@jit
def among(s, seat, card, extent):
    """Copies of a card in the System; with extent 2 in the discard pile too, and with 3 in hand."""
    copies = np.int64(s["system"][seat][card])
    if extent > 1:
        copies += s["discard"][seat][card]
    if extent > 2:
        copies += s["hand"][seat][card]
    return copies


@jit
def exactly(s, seat, pile, draws, kept, allowed, extent):
    """The chance that kept and drawn kinds of N, O, Kr together are just those in the bit set ``allowed``.

    There are ``pile`` cards to draw from, those of an extent, see ``among``.
    """
    chance = 0.0
    for part in range(8):
        if part & allowed != part or part & kept != kept:
            continue
        clean = pile
        for element in range(XE):
            if not part >> element & 1:
                clean -= among(s, seat, element, extent)
        missing = allowed ^ part
        sign = 1 - 2 * ((missing ^ missing >> 1 ^ missing >> 2) & 1)
        chance += sign * no_such(clean, pile, draws)
    return chance


# The market


@jit
def count(flags):
    total = 0
    for k in range(flags.shape[0]):
        total += np.int64(flags[k])
    return total


@jit
def game_left(s, t):
    """How much of the game is still to come, 1 at its start, by the player who is nearest to the end."""
    nearest = 0.0
    for seat in range(s["num_players"]):
        nearest = max(nearest, count(s["installed"][seat]) / t["end_upgrades"])
        nearest = max(nearest, count(s["completed"][seat]) / t["end_contracts"])
    return max(0.0, 1.0 - nearest)


@jit
def cost(s, w, seat, price):
    """Of a price in $, in stars; below 0 for a gain."""
    money = np.int64(s["money"][seat])
    return w["money"] * price * min(1.0, w["rich"] / money) if money > 0 else w["money"] * price


@jit
def last_worth(s, t, w, lead, gain):
    """Of bringing about the end with so many stars more."""
    if s["trigger"] >= 0:
        return 0.0
    return w["last"] if lead + gain + t["privilege_stars"] >= 0 else -w["last"]


@jit
def install_worth(s, t, w, seat, card, lead):
    """Of having an upgrade installed, its price apart."""
    stars = np.float64(t["stars_per_upgrade"])
    if card == OSHA:
        stars += t["osha_stars"]
    elif card == MDMA:
        stars += t["mdma_stars"] * (count(s["completed"][seat]) + w["to_come"] * game_left(s, t))
    elif card == LOBBYIST:
        stars += t["lobbyist_stars"] * w["to_come"]
    elif card == PORTFOLIO:
        stars += s["money"][seat] * (1.0 / t["money_per_star_portfolio"] - 1.0 / t["money_per_star"])
    worth = stars + w["ability"][card] * game_left(s, t) + w["goal"]
    if count(s["installed"][seat]) + 1 == t["end_upgrades"]:
        worth += last_worth(s, t, w, lead, stars)
    return worth


@jit
def contract_worth(s, t, w, seat, card, lead):
    """Of a contract taken: its stars and money less the Xe."""
    xe = np.int64(t["xe"][card])
    if xe >= 2 and is_at_hand(s, seat, PACKED_COLUMNS):
        xe -= 1
    missing = max(0, xe - np.int64(s["stored"][seat]))
    worth = t["stars"][card] + w["money"] * t["reward"][card] - w["stored_xe"] * xe - w["missing"] * missing + w["goal"]
    if missing == 0 and count(s["completed"][seat]) + 1 == t["end_contracts"]:
        worth += last_worth(s, t, w, lead, t["stars"][card])
    return worth


@jit
def card_worth(s, t, w, seat, card, lead):
    """Of a card of the lines at its best, its price apart."""
    if card >= PIPELINE:
        if s["pipelines"][seat][card - PIPELINE]:
            return 0.0
        owned = count(s["pipelines"][seat])
        return t["pipeline_stars"][owned + 1] - t["pipeline_stars"][owned] + w["pipeline"] * game_left(s, t)
    if card >= CONTRACT:
        return contract_worth(s, t, w, seat, card, lead)
    if t["install"][card] >= 0 and not is_installed(s, seat, card):
        return install_worth(s, t, w, seat, card, lead)
    return w["in_system"][card] * game_left(s, t)


@jit
def surcharge(s, seat, line, slot):
    """What tokens add to the price."""
    tokens = s["line_tokens"][line][slot]
    extra = -2 * np.int64(tokens[seat])
    for other in range(tokens.shape[0]):
        extra += np.int64(tokens[other])
    return extra


@jit
def buy_worth(s, t, w, seat, line, slot, installed, lead):
    """Of buying a card at its price."""
    card = np.int64(s["line_card"][line][slot])
    price = surcharge(s, seat, line, slot)
    if card >= CONTRACT:
        return card_worth(s, t, w, seat, card, lead) - cost(s, w, seat, price + t["buy"][card])
    if installed:
        return install_worth(s, t, w, seat, card, lead) - cost(s, w, seat, price + t["install"][card])
    return w["in_system"][card] * game_left(s, t) - cost(s, w, seat, price + t["buy"][card])


@jit
def token_worth(s, t, w, seat, place, lead):
    """Of a token on a card: what it is wanted for, and what somebody else will pay for it."""
    line, slot = place // SLOTS, place % SLOTS
    card = np.int64(s["line_card"][line][slot])
    if card < 0:
        return -1.0
    price = t["install"][card] if card < CONTRACT and t["install"][card] >= 0 else t["buy"][card]
    wanted = card_worth(s, t, w, seat, card, lead) - cost(s, w, seat, price + surcharge(s, seat, line, slot))
    worth = w["token"][0] + w["token"][1] * max(0.0, wanted)
    if card >= CONTRACT and card < PIPELINE and is_installed(s, seat, LOBBYIST):
        worth += t["lobbyist_stars"] * w["token"][2]
    return worth


# The decisions


@jit
def play_worth(s, t, seat, card, from_hand):
    """Of playing or using a card."""
    hand = s["hand"][seat]
    distills = np.int64(s["distills_left"])
    if card in (SILICA_GEL, SWING):
        return FREE if not from_hand or (isolates(s, seat, distills) and impurities(s, seat) > distills) else -1.0
    if card == REFLUX:
        # last resort: the one kind too many must be a single card
        needed = isolates(s, seat, distills) and impurities(s, seat) > distills
        return FREE / 2 if needed else -1.0
    if card == REBOILER:
        return 2 * FREE if hand[O] > 0 else -1.0
    if card == REFRIGERATION:
        return 2 * FREE if hand[N] > 0 and s["tokens"][seat] > 0 else -1.0
    if card == MASS_FLOW:
        return FREE if s["turn_step"] > DISTILL_STEP else -1.0
    return FREE


@jit
def discard_worth(s, t, w, seat, card):
    """Of putting a card from hand on the discard pile."""
    hand = s["hand"][seat]
    if s["phase"] == REFLUX_PHASE:
        if card >= XE:
            return -1.0 - card
        return 10.0 - hand[card] if hand[card] == 1 else 5.0 - hand[card]
    if card == XE:
        return -1.0
    if card > XE:
        if card in (SILICA_GEL, SWING, REFLUX, FEED, PACKED_COLUMNS, CONTRACTOR):
            return -1.0
        affordable = 0 <= t["install"][card] - t["buy"][card] <= s["money"][seat] + w["keep"][1]
        return -1.0 if affordable else 1.0
    held = dirty(s, seat)
    best, chosen = w["keep"][0], held
    for kept in range(8):
        if kept & held == kept:
            worth = keep_worth(s, t, w, seat, kept)
            if worth > best + 1e-9:
                best, chosen = worth, kept
    return -1.0 if chosen >> card & 1 else 1.0


@jit
def peek_worth(s, seat):
    """Of having the card that the relief valve shows in hand rather than on the discard pile."""
    card = np.int64(s["peek"])
    if card >= XE:
        return 1.0
    return 1.0 if s["hand"][seat][card] > 0 and s["distills_left"] > 0 else -1.0


@jit
def overtime_worth(s, seat):
    """Of a second distill in place of AIR and BUY: if it isolates what one would not, and that is wanted."""
    wanted = s["contract"][seat] >= 0 or s["hand"][seat][XE] > 1
    return 1.0 if wanted and isolates(s, seat, 2) and not isolates(s, seat, 1) else -1.0


@jit
def air_worth(s, t, w, seat, packets):
    """Of so many packets of AIR: their money and Xe, less what N, O, Kr are in the way."""
    air = w["air"]
    return packets * (w["money"] * t["air_money"] + air[0] - air[1] * dirt(s, seat)) - air[2] * packets * packets


@jit
def wipe_worth(s, t, w, seat, line, lead):
    """Of new cards in a line: a fair chance of something better than what would leave it."""
    best = 0.0
    for slot in range(SLOTS):
        card = np.int64(s["line_card"][line][slot])
        if card >= 0:
            best = max(best, buy_worth(s, t, w, seat, line, slot, card < CONTRACT and t["install"][card] >= 0, lead))
    return w["wipe"][0] - w["wipe"][1] * best


@jit
def worth(s, t, w, seat, action, lead):
    """Of an action, in stars; only comparable with the others of the same decision."""
    if action >= CHOOSE_UPGRADE:
        return card_worth(s, t, w, seat, action - CHOOSE_UPGRADE + MARKET_UPGRADE, lead)
    if action >= CHOOSE:
        return card_worth(s, t, w, seat, action - CHOOSE + CONTRACT, lead)
    if action >= DISCARD:
        return discard_worth(s, t, w, seat, action - DISCARD)
    if action >= INSTALL_FREE:
        return FREE + install_worth(s, t, w, seat, action - INSTALL_FREE + UPGRADE, lead)
    if action >= INSTALL:
        card = action - INSTALL + UPGRADE
        gain = install_worth(s, t, w, seat, card, lead) - cost(s, w, seat, t["install"][card] - t["buy"][card])
        return FREE + gain if gain > 0 else -1.0
    if action >= USE:
        return play_worth(s, t, seat, USE_CARDS[action - USE], False)
    if action >= PLAY:
        return play_worth(s, t, seat, PLAY_CARDS[action - PLAY], True)
    if action >= BUY_INSTALL:
        return buy_worth(s, t, w, seat, 1, action - BUY_INSTALL, True, lead)
    if action >= BUY:
        return buy_worth(s, t, w, seat, (action - BUY) // SLOTS, (action - BUY) % SLOTS, False, lead)
    if action >= MOVE:
        source, target = (action - MOVE) // (2 * SLOTS - 1), (action - MOVE) % (2 * SLOTS - 1)
        target += 1 if target >= source else 0
        return token_worth(s, t, w, seat, target, lead) - token_worth(s, t, w, seat, source, lead) - w["token"][3]
    if action >= BID:
        return token_worth(s, t, w, seat, action - BID, lead)
    if action == OVERTIME_YES:
        return overtime_worth(s, seat)
    if action == AIR_ONCE:
        return air_worth(s, t, w, seat, 1)
    if action == AIR_FEED:
        return air_worth(s, t, w, seat, 2)
    if action >= WIPE and action < STARS:
        engineer = action >= WIPE_ENGINEER
        first, gain = (WIPE_ENGINEER, w["wipe"][2]) if engineer else (WIPE, 0.0)
        return wipe_worth(s, t, w, seat, action - first, lead) + gain
    if action == PEEK_DRAW:
        return peek_worth(s, seat)
    if action == COMPLETE_FULL:
        return w["complete"][0]
    return w["complete"][1] if action == STARS else 0.0


# The outlook


@jit
def put_harvest(s, t, seat, out, k):
    """What a hand drawn from all of a seat's cards promises: chances to be clean after one and two distills, and Xe.

    Installed gels and adsorbers help; Reflux is not counted.
    """
    pile = 0
    for card in range(HELD):
        pile += cycle(s, seat, card)
    draws = min(pile, full_hand(s, t, seat))
    silica, swing = is_installed(s, seat, SILICA_GEL), is_installed(s, seat, SWING)
    # were it known to be 3 when this is compiled, all loops below would be unrolled, which takes two minutes
    extent = np.int64(3 if pile > 0 else 2)
    one, two = 0.0, 0.0
    for drawn in range(8):
        needed = kinds(drawn)
        needed -= (silica and drawn >> O & 1) + (swing and drawn >> N & 1)
        if needed <= 2:
            chance = exactly(s, seat, pile, draws, np.int64(0), np.int64(drawn), extent)
            two += chance
            one += chance if needed <= 1 else 0.0
    share = 1.0 / max(1, pile)
    k = put(out, k, one)
    k = put(out, k, two)
    k = put(out, k, draws * share * cycle(s, seat, XE))
    k = put(out, k, draws / 8.0)
    k = put(out, k, share * dirt(s, seat))
    return put(out, k, pile / 30.0)


@jit
def put_offers(s, t, w, seat, lead, out, k):
    """What the lines offer a seat for its money: the best contract, pipeline and installation; the best two of all.

    An upgrade that can be installed counts as installed, whatever it would be worth in the System.
    """
    money = np.int64(s["money"][seat])
    contract, pipeline, installation, best, second = 0.0, 0.0, 0.0, 0.0, 0.0
    for place in range(2 * SLOTS):
        line, slot = place // SLOTS, place % SLOTS
        card = np.int64(s["line_card"][line][slot])
        if card < 0:
            continue
        installed = card < CONTRACT and t["install"][card] >= 0
        price = surcharge(s, seat, line, slot) + np.int64(t["install"][card] if installed else t["buy"][card])
        if price > money or (CONTRACT <= card < PIPELINE and s["contract"][seat] >= 0):
            continue
        value = card_worth(s, t, w, seat, card, lead) - cost(s, w, seat, price)
        second = max(second, min(best, value))
        best = max(best, value)
        if card >= PIPELINE:
            pipeline = max(pipeline, value)
        elif card >= CONTRACT:
            contract = max(contract, value)
        elif installed:
            installation = max(installation, value)
    for value in (contract, pipeline, installation, best, second):
        k = put(out, k, value / 4.0)
    return k


@jit
def put_party(s, t, w, seat, table, viewer, out, k):
    """The standing, the cards and the prospects of a seat."""
    lead = table[seat, 0] - best_other(s, table, seat)
    k = put(out, k, lead / 10.0)
    k = put(out, k, (table[seat, 0] - table[viewer, 0]) / 10.0)
    k = put(out, k, table[seat, 0] / 20.0)
    k = put(out, k, count(s["installed"][seat]) / t["end_upgrades"])
    k = put(out, k, count(s["completed"][seat]) / t["end_contracts"])
    k = put(out, k, min(40, np.int64(s["money"][seat])) / 15.0)
    k = put(out, k, s["tokens"][seat] / 4.0)
    k = put(out, k, s["overtime"][seat])
    open_contract = np.int64(s["contract"][seat])
    needed = 0
    if open_contract >= 0:
        needed = max(0, np.int64(t["xe"][CONTRACT + open_contract]) - np.int64(s["stored"][seat]))
    k = put(out, k, open_contract >= 0)
    k = put(out, k, needed / 3.0)
    k = put(out, k, s["stored"][seat] / 3.0)
    k = put(out, k, t["stars"][CONTRACT + open_contract] / 5.0 if open_contract >= 0 else 0.0)
    k = put_harvest(s, t, seat, out, k)
    hand = s["hand"][seat]
    held = hand[PACKED_COLUMNS]
    if seat != viewer:  # for as long as its offers are looked at: of others' hands only what they have shown is known
        hand[PACKED_COLUMNS] = s["shown"][seat][PACKED_COLUMNS]
    k = put_offers(s, t, w, seat, lead, out, k)
    hand[PACKED_COLUMNS] = held
    return k


@jit
def put_hand(s, t, w, seat, out, k):
    """What the mover's hand is good for, and what is left to draw before the next shuffle."""
    hand = s["hand"][seat]
    for distills in range(3):
        k = put(out, k, isolates(s, seat, np.int64(distills)))
    k = put(out, k, isolates(s, seat, np.int64(s["distills_left"])))
    k = put(out, k, hand[XE] / 3.0)
    k = put(out, k, impurities(s, seat) / 3.0)
    held, best = dirty(s, seat), 0.0
    for kept in range(8):
        if kept & held == kept:
            best = max(best, keep_worth(s, t, w, seat, kept))
    k = put(out, k, best)
    k = put(out, k, keep_worth(s, t, w, seat, held))
    upgrades, system, clean = 0, 0, 0
    for card in range(HELD):
        system += np.int64(s["system"][seat][card])
        if card >= XE:
            clean += np.int64(s["system"][seat][card])
        if card > XE:
            upgrades += np.int64(hand[card])
    k = put(out, k, upgrades / 3.0)
    k = put(out, k, system / 20.0)
    k = put(out, k, clean / max(1, system))
    return put(out, k, s["system"][seat][XE] / max(1, system))


@jit
def look(states, i, tables, notes, out):
    """The outlook: numbers of the order of 1, from the view of the player to move; see ``agents.scripted.look``.

    Of each player in turn, the mover first: ``put_party``. Then the mover's hand, and how far the game has come.
    """
    rules, _, table = notes
    s, t, w = states[i], tables[0], rules[0]
    for k in range(OUTLOOK):
        out[k] = 0.0
    standings(states, i, tables, table)
    n, viewer = np.int64(s["num_players"]), np.int64(s["player"])
    for party in range(n):
        put_party(s, t, w, (viewer + party) % n, table, viewer, out, PARTY_NUMBERS * party)
    k = put_hand(s, t, w, viewer, out, PARTY_NUMBERS * SEATS)
    trigger = np.int64(s["trigger"])
    k = put(out, k, game_left(s, t))
    k = put(out, k, trigger >= 0)
    k = put(out, k, (trigger - viewer + n) % n / 2.0 if trigger >= 0 else 0.0)
    k = put(out, k, air_worth(s, t, w, viewer, 1) / 4.0)
    k = put(out, k, s["decisions"] / 200.0)
    put(out, k, (n - 2) / 2.0)


@jit
def best_other(s, table, seat):
    """The most stars of any other player."""
    most = -1000.0
    for other in range(s["num_players"]):
        if other != seat:
            most = max(most, np.float64(table[other, 0]))
    return most


@jit
def best_action(states, i, tables, notes, worths):
    """The legal action of record ``i`` that is worth most, the first of several; the others' worths too."""
    rules, actions, table = notes
    s = states[i]
    seat = np.int64(s["player"])
    legals = legal(states, i, tables, actions)
    if legals == 1:
        return np.int64(actions[0])
    standings(states, i, tables, table)
    lead = table[seat, 0] - best_other(s, table, seat)
    best, chosen = -1e9, np.int64(actions[0])
    for k in range(legals):
        action = np.int64(actions[k])
        value = worth(s, tables[0], rules[0], seat, action, lead)
        worths[action] = value
        if value > best:
            best, chosen = value, action
    return chosen


def make(game: Game, argument: str) -> Scripted:
    """See ``agents.load``."""
    actions, table = np.zeros(game.num_actions, np.int16), np.zeros((game.parties, game.standing_keys), np.int64)
    return Scripted("greedy", game, best_action, RULES, (actions, table), Outlook(look, OUTLOOK))
