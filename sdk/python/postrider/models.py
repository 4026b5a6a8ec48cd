"""The types of what is sent and answered."""

from .gen.models import *  # noqa: F403
from .gen.models import __all__ as __all__
