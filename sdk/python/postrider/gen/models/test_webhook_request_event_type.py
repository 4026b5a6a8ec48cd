from typing import Literal, cast

TestWebhookRequestEventType = Literal[
    "alert.opened",
    "alert.resolved",
    "campaign.sent",
    "contact.unsubscribed",
    "domain.brake_released",
    "domain.braked",
    "domain.failed",
    "domain.paused",
    "domain.resumed",
    "domain.tier_changed",
    "domain.verified",
    "inbound.received",
    "message.accepted",
    "message.bounced",
    "message.cancelled",
    "message.clicked",
    "message.complained",
    "message.deferred",
    "message.delivered",
    "message.dropped",
    "message.expired",
    "message.opened",
    "message.unsubscribed",
]


def check_test_webhook_request_event_type(value: str) -> TestWebhookRequestEventType:
    return cast(TestWebhookRequestEventType, value)
