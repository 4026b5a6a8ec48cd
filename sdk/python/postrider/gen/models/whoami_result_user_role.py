from typing import Literal, cast

WhoamiResultUserRole = Literal["member", "owner", "super_admin", "viewer"]


def check_whoami_result_user_role(value: str) -> WhoamiResultUserRole:
    return cast(WhoamiResultUserRole, value)
