from typing import Literal, cast

WebhookDeliveryStatus = Literal["dead", "failed", "pending", "succeeded"]


def check_webhook_delivery_status(value: str) -> WebhookDeliveryStatus:
    return cast(WebhookDeliveryStatus, value)
