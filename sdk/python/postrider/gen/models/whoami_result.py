from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.whoami_result_key import WhoamiResultKey
    from ..models.whoami_result_quota import WhoamiResultQuota
    from ..models.whoami_result_tenant import WhoamiResultTenant
    from ..models.whoami_result_user import WhoamiResultUser


T = TypeVar("T", bound="WhoamiResult")


@_attrs_define
class WhoamiResult:
    """
    Attributes:
        tenant (WhoamiResultTenant):
        quota (WhoamiResultQuota):
        key (WhoamiResultKey | Unset): with an API key
        user (WhoamiResultUser | Unset): with the token of a signed-in person
    """

    tenant: WhoamiResultTenant
    quota: WhoamiResultQuota
    key: WhoamiResultKey | Unset = UNSET
    user: WhoamiResultUser | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        tenant = self.tenant.to_dict()

        quota = self.quota.to_dict()

        key: dict[str, Any] | Unset = UNSET
        if not isinstance(self.key, Unset):
            key = self.key.to_dict()

        user: dict[str, Any] | Unset = UNSET
        if not isinstance(self.user, Unset):
            user = self.user.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "tenant": tenant,
                "quota": quota,
            }
        )
        if key is not UNSET:
            field_dict["key"] = key
        if user is not UNSET:
            field_dict["user"] = user

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.whoami_result_key import WhoamiResultKey  # noqa: PLC0415
        from ..models.whoami_result_quota import WhoamiResultQuota  # noqa: PLC0415
        from ..models.whoami_result_tenant import WhoamiResultTenant  # noqa: PLC0415
        from ..models.whoami_result_user import WhoamiResultUser  # noqa: PLC0415

        d = dict(src_dict)
        tenant = WhoamiResultTenant.from_dict(d.pop("tenant"))

        quota = WhoamiResultQuota.from_dict(d.pop("quota"))

        _key = d.pop("key", UNSET)
        key: WhoamiResultKey | Unset
        if isinstance(_key, Unset):
            key = UNSET
        else:
            key = WhoamiResultKey.from_dict(_key)

        _user = d.pop("user", UNSET)
        user: WhoamiResultUser | Unset
        if isinstance(_user, Unset):
            user = UNSET
        else:
            user = WhoamiResultUser.from_dict(_user)

        whoami_result = cls(
            tenant=tenant,
            quota=quota,
            key=key,
            user=user,
        )

        whoami_result.additional_properties = d
        return whoami_result

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
