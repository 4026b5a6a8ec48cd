from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.change_domain_request_spam_policy import (
    ChangeDomainRequestSpamPolicy,
    check_change_domain_request_spam_policy,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeDomainRequest")


@_attrs_define
class ChangeDomainRequest:
    """
    Attributes:
        inbound_enabled (bool | Unset):
        spam_policy (ChangeDomainRequestSpamPolicy | Unset):
        cfbl_enabled (bool | Unset):
        transactional_reserve (int | Unset):
        brake_enabled (bool | Unset):
        sender_rules_enabled (bool | Unset):
        pool (None | str | Unset):
    """

    inbound_enabled: bool | Unset = UNSET
    spam_policy: ChangeDomainRequestSpamPolicy | Unset = UNSET
    cfbl_enabled: bool | Unset = UNSET
    transactional_reserve: int | Unset = UNSET
    brake_enabled: bool | Unset = UNSET
    sender_rules_enabled: bool | Unset = UNSET
    pool: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        inbound_enabled = self.inbound_enabled

        spam_policy: str | Unset = UNSET
        if not isinstance(self.spam_policy, Unset):
            spam_policy = self.spam_policy

        cfbl_enabled = self.cfbl_enabled

        transactional_reserve = self.transactional_reserve

        brake_enabled = self.brake_enabled

        sender_rules_enabled = self.sender_rules_enabled

        pool: None | str | Unset
        if isinstance(self.pool, Unset):
            pool = UNSET
        else:
            pool = self.pool

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if inbound_enabled is not UNSET:
            field_dict["inbound_enabled"] = inbound_enabled
        if spam_policy is not UNSET:
            field_dict["spam_policy"] = spam_policy
        if cfbl_enabled is not UNSET:
            field_dict["cfbl_enabled"] = cfbl_enabled
        if transactional_reserve is not UNSET:
            field_dict["transactional_reserve"] = transactional_reserve
        if brake_enabled is not UNSET:
            field_dict["brake_enabled"] = brake_enabled
        if sender_rules_enabled is not UNSET:
            field_dict["sender_rules_enabled"] = sender_rules_enabled
        if pool is not UNSET:
            field_dict["pool"] = pool

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        inbound_enabled = d.pop("inbound_enabled", UNSET)

        _spam_policy = d.pop("spam_policy", UNSET)
        spam_policy: ChangeDomainRequestSpamPolicy | Unset
        if isinstance(_spam_policy, Unset):
            spam_policy = UNSET
        else:
            spam_policy = check_change_domain_request_spam_policy(_spam_policy)

        cfbl_enabled = d.pop("cfbl_enabled", UNSET)

        transactional_reserve = d.pop("transactional_reserve", UNSET)

        brake_enabled = d.pop("brake_enabled", UNSET)

        sender_rules_enabled = d.pop("sender_rules_enabled", UNSET)

        def _parse_pool(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pool = _parse_pool(d.pop("pool", UNSET))

        change_domain_request = cls(
            inbound_enabled=inbound_enabled,
            spam_policy=spam_policy,
            cfbl_enabled=cfbl_enabled,
            transactional_reserve=transactional_reserve,
            brake_enabled=brake_enabled,
            sender_rules_enabled=sender_rules_enabled,
            pool=pool,
        )

        return change_domain_request
