"""The client of Dossier's API: see the README."""

from . import problems, types
from ._operations import Client
from ._problem import Fault, Problem
from ._transport import Download, Page, Upload
from .types import Event
from .webhooks import NotGenuine, verify

__all__ = ["Client", "Download", "Event", "Fault", "NotGenuine", "Page", "Problem", "Upload", "problems", "types", "verify"]
