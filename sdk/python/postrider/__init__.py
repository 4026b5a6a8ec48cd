"""Client of the Postrider email API. README.md has examples."""

from .client import Postrider
from .errors import PostriderError
from .follow import FollowedEvent
from .pages import paginate
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = ["FollowedEvent", "Postrider", "PostriderError", "WebhookVerificationError", "paginate", "verify_webhook"]
