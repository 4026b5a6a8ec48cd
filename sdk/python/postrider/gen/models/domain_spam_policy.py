from typing import Literal, cast

DomainSpamPolicy = Literal["keep", "mark", "refuse"]


def check_domain_spam_policy(value: str) -> DomainSpamPolicy:
    return cast(DomainSpamPolicy, value)
