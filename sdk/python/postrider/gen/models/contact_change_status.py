from typing import Literal, cast

ContactChangeStatus = Literal["subscribed", "unsubscribed"]


def check_contact_change_status(value: str) -> ContactChangeStatus:
    return cast(ContactChangeStatus, value)
