"""Reading logits at one place of a text."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.measuring import read_logits
from app.errors import RequestError
from tests.unit.engine.scripted_model import ScriptedModel, peaked

TEXT = [3, 1, 4, 1, 5, 9, 2, 6]


@pytest.mark.parametrize("n_batch", [1, 3, 7, 64])
def test_logits_are_those_after_the_whole_text_and_nothing_stays(n_batch: int) -> None:
    rule = peaked(16, salt=1)
    model = ScriptedModel(rule, 16, n_batch=n_batch)
    assert np.array_equal(read_logits(model, TEXT, 64), rule(tuple(TEXT)))
    assert not model.cells[0]


def test_the_last_token_is_a_batch_of_its_own() -> None:
    """A batch of several rows rounds differently from the single row of plain decoding."""
    model = ScriptedModel(peaked(16, salt=1), 16)
    read_logits(model, TEXT, 64)
    assert model.passes == 2


def test_a_text_beyond_the_context_is_refused() -> None:
    with pytest.raises(RequestError, match="prompt_too_long"):
        read_logits(ScriptedModel(peaked(16, salt=1), 16), TEXT, len(TEXT) - 1)
