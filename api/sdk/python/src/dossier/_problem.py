from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a request: at a JSON pointer into its body, or in a parameter."""

    code: str
    detail: str
    pointer: Optional[str] = None
    parameter: Optional[str] = None


class Problem(Exception):
    """An error that the service answered (RFC 9457). The module problems has a class for each code."""

    def __init__(self, status: int, body: Dict[str, Any], retry_after: Optional[float]) -> None:
        self.status = status
        self.body = body
        self.code: str = str(body.get("code", "unknown"))
        self.title: str = str(body.get("title", ""))
        self.detail: str = str(body.get("detail", ""))
        self.request_id: str = str(body.get("requestId", ""))
        self.retry_after = retry_after
        self.errors: List[Fault] = [
            Fault(str(e.get("code", "")), str(e.get("detail", "")), e.get("pointer"), e.get("parameter"))
            for e in body.get("errors") or []
        ]
        super().__init__(f"{self.detail} ({status} {self.code}, request {self.request_id or 'unknown'})")
