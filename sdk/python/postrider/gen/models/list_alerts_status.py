from typing import Literal, cast

ListAlertsStatus = Literal["open", "resolved"]


def check_list_alerts_status(value: str) -> ListAlertsStatus:
    return cast(ListAlertsStatus, value)
