from typing import Literal, cast

DomainDkimAlgorithm = Literal["ed25519-sha256", "rsa-sha256"]


def check_domain_dkim_algorithm(value: str) -> DomainDkimAlgorithm:
    return cast(DomainDkimAlgorithm, value)
