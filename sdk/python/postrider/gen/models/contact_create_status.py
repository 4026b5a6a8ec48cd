from typing import Literal, cast

ContactCreateStatus = Literal["subscribed", "unsubscribed"]


def check_contact_create_status(value: str) -> ContactCreateStatus:
    return cast(ContactCreateStatus, value)
