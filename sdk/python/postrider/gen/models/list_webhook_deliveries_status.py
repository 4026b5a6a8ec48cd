from typing import Literal, cast

ListWebhookDeliveriesStatus = Literal["dead", "failed", "pending", "succeeded"]


def check_list_webhook_deliveries_status(value: str) -> ListWebhookDeliveriesStatus:
    return cast(ListWebhookDeliveriesStatus, value)
