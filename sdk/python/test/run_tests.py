"""Runs the tests of one module, for python.spec.ts.

python3 -m test.run_tests --list            prints the ids of all tests as JSON
python3 -m test.run_tests test.test_client  prints one line of JSON for each test: id, and the traceback of a failure
"""

import json
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path


def ids_of(suite: unittest.TestSuite) -> Iterator[str]:
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from ids_of(each)
        else:
            yield each.id()


class JsonResult(unittest.TestResult):
    """Collects what failed; a test fails once, however many of its subtests do."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: dict[str, str] = {}

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        for failed, trace in [*self.failures, *self.errors]:
            whole = getattr(failed, "test_case", failed)
            self.reasons.setdefault(whole.id(), f"{failed}\n{trace}")
        print(json.dumps({"id": test.id(), "reason": self.reasons.get(test.id())}), flush=True)


def main(argument: str) -> None:
    folder = Path(__file__).resolve().parent
    loader = unittest.TestLoader()
    if argument == "--list":
        names = [f"test.{path.stem}" for path in sorted(folder.glob("test_*.py"))]
        print(json.dumps(list(ids_of(loader.loadTestsFromNames(names)))))
        return
    result = JsonResult()
    loader.loadTestsFromName(argument).run(result)
    # What failed outside of a test, as in setUpModule.
    for failed, trace in result.errors:
        if not isinstance(failed, unittest.TestCase):
            print(json.dumps({"id": str(failed), "reason": trace}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
