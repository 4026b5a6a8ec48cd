from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.whoami_result_tenant_plan import (
    WhoamiResultTenantPlan,
    check_whoami_result_tenant_plan,
)

T = TypeVar("T", bound="WhoamiResultTenant")


@_attrs_define
class WhoamiResultTenant:
    """
    Attributes:
        id (str):
        name (str):
        plan (WhoamiResultTenantPlan):
        created_at (datetime.datetime):
    """

    id: str
    name: str
    plan: WhoamiResultTenantPlan
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        plan: str = self.plan

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "plan": plan,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        plan = check_whoami_result_tenant_plan(d.pop("plan"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        whoami_result_tenant = cls(
            id=id,
            name=name,
            plan=plan,
            created_at=created_at,
        )

        whoami_result_tenant.additional_properties = d
        return whoami_result_tenant

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
