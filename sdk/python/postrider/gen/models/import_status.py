from typing import Literal, cast

ImportStatus = Literal["completed", "failed", "pending", "running"]


def check_import_status(value: str) -> ImportStatus:
    return cast(ImportStatus, value)
