from typing import Literal, cast

ContactExportFilterStatus = Literal["subscribed", "unsubscribed"]


def check_contact_export_filter_status(value: str) -> ContactExportFilterStatus:
    return cast(ContactExportFilterStatus, value)
