"""What may come next, and when guessing pays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.model.drafts import BatchCosts, Confidence, Drafter, DraftTexts, NgramIndex, draft_length

TOKENS = st.lists(st.integers(0, 3), max_size=60)


@given(TOKENS, TOKENS)
def test_matches_are_where_the_tail_occurs(text: list[int], tail: list[int]) -> None:
    for length, place in NgramIndex(text).matches(tail):
        assert length >= 3
        assert text[place - length : place] == tail[len(tail) - length :]


@given(TOKENS)
def test_every_repeated_run_of_three_is_found(text: list[int]) -> None:
    index = NgramIndex(text)
    for end in range(3, len(text)):
        assert index.matches(text[:end])


def test_the_longest_match_wins_over_the_latest() -> None:
    text = [1, 2, 3, 4, 5, 6, 50, 51, 52, 9, 4, 5, 6, 60, 61]
    drafter = Drafter([*text, 1, 2, 3, 4, 5, 6], Confidence(), BatchCosts())
    assert drafter.propose(4)[:1] == (50,)


def test_other_texts_are_looked_in_too() -> None:
    others = NgramIndex([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    drafter = Drafter([0, 2, 3, 4, 5, 6], Confidence(), BatchCosts(), [others])
    assert drafter.propose(4) == (7, 8, 9)[: len(drafter.propose(4))] != ()


def test_the_limit_holds() -> None:
    drafter = Drafter([1, 2, 3, 4, 5, 6] * 5, Confidence(), BatchCosts())
    assert drafter.propose(0) == ()
    assert len(drafter.propose(1)) == 1


def test_length_follows_confidence() -> None:
    costs = BatchCosts()
    lengths = [draft_length([chance / 100] * 4, costs) for chance in range(101)]
    assert lengths[10] == 0 and lengths[60] in {1, 2} and lengths[100] == 4
    assert sum(lengths[50:]) > 5 * sum(lengths[:50])


def test_length_follows_what_batches_cost_here() -> None:
    free, dear = BatchCosts(), BatchCosts()
    for tokens in range(1, 6):
        free.learn(tokens, 10.0)
        dear.learn(tokens, 10.0 * tokens)
    assert draft_length([0.6] * 4, free) == 4
    assert draft_length([0.6] * 4, dear) == 0


def test_guesses_that_keep_failing_stop_and_start_again_when_they_are_right() -> None:
    confidence, costs = Confidence(), BatchCosts()
    loop = [1, 2, 3, 4, 5, 6, 7, 8]

    def proposed(following: int) -> bool:
        """Whether anything is proposed after the loop, of which ``following`` then turns out to be the next token."""
        drafter = Drafter(loop * 4, confidence, costs)
        drafts = drafter.propose(4)
        drafter.feed(following)
        return bool(drafts)

    assert proposed(1)
    for _ in range(200):
        proposed(99)
    assert not proposed(99)
    for _ in range(400):
        proposed(1)
    assert proposed(1)


def test_what_most_places_say_wins_over_the_latest() -> None:
    texts = [NgramIndex([1, 2, 3, 4, following]) for following in (7, 7, 7, 8)]
    drafter = Drafter([1, 2, 3, 4], Confidence(), BatchCosts(), texts)
    assert drafter.propose(1) == (7,)


def test_places_that_disagree_are_trusted_less() -> None:
    confidence = Confidence()
    assert confidence.chance((5, 4)) > confidence.chance((5, 2)) > confidence.chance((5, 1))


def test_texts_beyond_the_room_and_forgotten_ones_are_not_looked_up() -> None:
    texts = DraftTexts(room=12)
    texts.put("old", [1, 2, 3, 4, 5, 6])
    for number in range(5):
        texts.put(f"new {number}", [10 * number + at for at in range(11, 17)])
    assert not texts.index.matches([1, 2, 3])
    assert texts.index.matches([51, 52, 53])
    for number in range(5):
        texts.put(f"new {number}", [])
    assert not texts.index.matches([51, 52, 53])
