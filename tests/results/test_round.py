"""Results of a round as objects: they go to other processes, and are copied."""

import copy
import pickle

import pytest

from odds import Rules, Shoe, analyze, basic_strategy, evaluate


@pytest.mark.parametrize("how", ["cdp1", "cdz", "full", "chart", "outcomes"])
def test_results_are_pickled_and_copied(how: str) -> None:
    rules = Rules(decks=1, max_hands=2, surrender="late")
    if how == "chart":
        result = evaluate(rules, basic_strategy(rules))
    elif how == "full":
        shoe = Shoe.of_counts({"8": 8, "T": 16, "2": 8, "3": 8, "4": 8, "6": 8})
        result = analyze(rules, split_class="full", shoe=shoe)
    else:
        result = analyze(rules, split_class="cdz" if how == "cdz" else "cdp1")
    if how == "outcomes":
        outcomes = pickle.loads(pickle.dumps(result.outcomes()))
        assert outcomes.to_dict() == result.outcomes().to_dict()
        return
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other.to_dict() == result.to_dict()
        assert other.hand("8,8", "T") == result.hand("8,8", "T")
        assert other.hand("2,3,4", "6").actions == result.hand("2,3,4", "6").actions
