from typing import Literal, cast

ExportKind = Literal["contacts", "events", "messages", "suppressions"]


def check_export_kind(value: str) -> ExportKind:
    return cast(ExportKind, value)
