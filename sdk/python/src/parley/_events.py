"""Server-sent events (the "event stream interpretation" of the HTML standard)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional


@dataclass(frozen=True)
class StreamMessage:
    event: str
    data: str


class EventParser:
    """Puts the lines of a stream together into messages."""

    def __init__(self) -> None:
        self._event = ""
        self._data: List[str] = []

    def feed(self, line: str) -> Optional[StreamMessage]:
        """Takes a line without its end; returns a message if the line completes one."""
        if line == "":
            message = StreamMessage(self._event or "message", "\n".join(self._data)) if self._data else None
            self._event, self._data = "", []
            return message
        field, _, content = line.partition(":")
        content = content[1:] if content.startswith(" ") else content
        if field == "event":
            self._event = content
        elif field == "data":
            self._data.append(content)
        return None
