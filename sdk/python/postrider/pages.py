"""Lists: all items of all pages, asked for as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
CovariantItem = TypeVar("CovariantItem", covariant=True)

PAGE = 100  # the most that the API gives


class Page(Protocol[CovariantItem]):
    """What a list answers."""

    @property
    def items(self) -> Sequence[CovariantItem]: ...

    @property
    def next_cursor(self) -> str | None: ...


def paginate(list_page: Callable[..., Page[Item]], **query: Any) -> Iterator[Item]:
    """All items of a list: ``for message in paginate(client.list_messages, tag="welcome")``."""
    query = {"limit": PAGE, **query}
    while True:
        page = list_page(**query)
        yield from page.items
        if page.next_cursor in (None, query.get("after")):  # events in ascending order always have a cursor
            return
        query["after"] = page.next_cursor
