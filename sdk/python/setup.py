"""Makes postrider/gen/ before the package is built, if it is missing: it is not in Git."""

import subprocess
from pathlib import Path

from setuptools import setup

FOLDER = Path(__file__).resolve().parent
REPOSITORY = FOLDER.parents[1]

if not (FOLDER / "postrider/gen/operations.py").exists():
    if not (REPOSITORY / "sdk/generate.ts").exists():
        raise SystemExit("postrider/gen/ is missing: run `npm run sdk` in the repository, and build again there")
    subprocess.run(["npm", "run", "sdk"], cwd=REPOSITORY, check=True)

setup()
