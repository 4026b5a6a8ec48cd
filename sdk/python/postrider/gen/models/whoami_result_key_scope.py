from typing import Literal, cast

WhoamiResultKeyScope = Literal[
    "campaigns:read",
    "campaigns:write",
    "contacts:read",
    "contacts:write",
    "domains:read",
    "domains:write",
    "events:read",
    "mail:read",
    "mail:write",
    "reputation:read",
    "settings:read",
    "settings:write",
    "suppressions:read",
    "suppressions:write",
    "templates:read",
    "templates:write",
    "transactional:read",
    "transactional:send",
    "webhooks:read",
    "webhooks:write",
]


def check_whoami_result_key_scope(value: str) -> WhoamiResultKeyScope:
    return cast(WhoamiResultKeyScope, value)
