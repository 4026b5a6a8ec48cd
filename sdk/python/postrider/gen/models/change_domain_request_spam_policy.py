from typing import Literal, cast

ChangeDomainRequestSpamPolicy = Literal["keep", "mark", "refuse"]


def check_change_domain_request_spam_policy(value: str) -> ChangeDomainRequestSpamPolicy:
    return cast(ChangeDomainRequestSpamPolicy, value)
