from typing import Literal, cast

ContactStatus = Literal["subscribed", "unsubscribed"]


def check_contact_status(value: str) -> ContactStatus:
    return cast(ContactStatus, value)
