from typing import Literal, cast

ImportContactsUpdateExisting = Literal["false", "true"]


def check_import_contacts_update_existing(value: str) -> ImportContactsUpdateExisting:
    return cast(ImportContactsUpdateExisting, value)
