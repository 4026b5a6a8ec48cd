from typing import Literal, cast

PreflightCheckId = Literal[
    "alignment",
    "audience",
    "dkim",
    "dmarc",
    "free_mail",
    "links",
    "one_click",
    "return_path",
    "reverse_dns",
    "size",
    "spf",
    "tls",
    "tracking_host",
    "variables",
    "visible_unsubscribe",
]


def check_preflight_check_id(value: str) -> PreflightCheckId:
    return cast(PreflightCheckId, value)
