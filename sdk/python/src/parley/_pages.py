"""Lists, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generic, Iterator, List, Optional, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list. ``next_cursor`` is None on the last one."""

    data: List[Item]
    next_cursor: Optional[str]


def read_page(reply: Dict[str, Any]) -> Page[Any]:
    return Page(data=reply["data"], next_cursor=reply["nextCursor"])


class Pages(Generic[Item]):
    """Iterate over it for all items of all pages; nothing is requested before."""

    def __init__(self, read: Callable[[Optional[str]], Dict[str, Any]]) -> None:
        self._read = read

    def first(self) -> Page[Item]:
        """The first page."""
        return read_page(self._read(None))

    def pages(self) -> Iterator[Page[Item]]:
        page: Page[Item] = self.first()
        yield page
        while page.next_cursor is not None:
            page = read_page(self._read(page.next_cursor))
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data


class AsyncPages(Generic[Item]):
    """Iterate over it with ``async for`` for all items of all pages; nothing is requested before."""

    def __init__(self, read: Callable[[Optional[str]], Awaitable[Dict[str, Any]]]) -> None:
        self._read = read

    async def first(self) -> Page[Item]:
        """The first page."""
        return read_page(await self._read(None))

    async def pages(self) -> AsyncIterator[Page[Item]]:
        page: Page[Item] = await self.first()
        yield page
        while page.next_cursor is not None:
            page = read_page(await self._read(page.next_cursor))
            yield page

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item
