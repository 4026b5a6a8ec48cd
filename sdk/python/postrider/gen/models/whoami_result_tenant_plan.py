from typing import Literal, cast

WhoamiResultTenantPlan = Literal["free", "pro", "scale", "starter"]


def check_whoami_result_tenant_plan(value: str) -> WhoamiResultTenantPlan:
    return cast(WhoamiResultTenantPlan, value)
