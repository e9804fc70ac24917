"""Random requirements."""

from __future__ import annotations

from hypothesis import strategies as st

from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.ruling import is_name

_NAMES = st.one_of(
    st.sampled_from(
        [
            "bow",
            "lamp",
            "sword and shield",
            "red key",
            "bombs",
            "3 stones",
            "not",
            "is",
            "item",
            "switch x",
            "on",
            "O'Hara",
        ]
    ),
    st.text("ab -'3é", min_size=1, max_size=8).filter(is_name),
)


def requirements() -> st.SearchStrategy[Requirement]:
    """Return requirements of any form, those that no reader would give among them."""
    counts = st.sampled_from((1, 1, 1, 2, 3, 9_999))
    atoms = st.one_of(
        st.builds(Have, st.just("item"), _NAMES, counts),
        st.builds(Have, st.just("key"), st.one_of(st.just(""), _NAMES), counts),
        st.builds(Have, st.just("bombs"), st.just(""), counts),
        st.builds(SwitchAt, _NAMES, st.one_of(st.just("on"), _NAMES)),
        st.builds(Cleared, _NAMES),
    )
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(AllOf, st.lists(inner, max_size=3).map(tuple)),
            st.builds(AnyOf, st.lists(inner, max_size=3).map(tuple)),
        ),
        max_leaves=12,
    )
