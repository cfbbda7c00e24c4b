"""Server-sent events (the "event stream interpretation" of the HTML standard)."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import List

#: Other line separators of Unicode are content. A carriage return at the end may be half of a line end.
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


@dataclass(frozen=True)
class StreamMessage:
    event: str
    data: str


class EventParser:
    """Puts the bytes of a stream together into messages."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._event = ""
        self._data: List[str] = []

    def feed(self, chunk: bytes) -> List[StreamMessage]:
        """The messages that the chunk completes."""
        *lines, self._text = _LINE_END.split(self._text + self._decoder.decode(chunk))
        messages = []
        for line in lines:
            if line != "":
                self._read_field(line)
                continue
            if self._data:
                messages.append(StreamMessage(self._event or "message", "\n".join(self._data)))
            self._event, self._data = "", []
        return messages

    def _read_field(self, line: str) -> None:
        field, _, content = line.partition(":")
        content = content[1:] if content.startswith(" ") else content
        if field == "event":
            self._event = content
        elif field == "data":
            self._data.append(content)
