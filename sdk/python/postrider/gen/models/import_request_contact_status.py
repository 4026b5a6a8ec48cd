from typing import Literal, cast

ImportRequestContactStatus = Literal["subscribed", "unsubscribed"]


def check_import_request_contact_status(value: str) -> ImportRequestContactStatus:
    return cast(ImportRequestContactStatus, value)
