from typing import Literal, cast

ExportStatus = Literal["completed", "failed", "pending", "running"]


def check_export_status(value: str) -> ExportStatus:
    return cast(ExportStatus, value)
