from typing import Literal, cast

ListContactsStatus = Literal["subscribed", "unsubscribed"]


def check_list_contacts_status(value: str) -> ListContactsStatus:
    return cast(ListContactsStatus, value)
