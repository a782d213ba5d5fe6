"""Fail where fewer branches of `tool_core` are tested than promised: `coverage_gate.py REPORT PERCENT`."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    report, least = json.loads(Path(sys.argv[1]).read_text()), float(sys.argv[2])
    totals = report["totals"]
    share = 100 * totals["covered_branches"] / totals["num_branches"]
    by_gap = sorted(report["files"].items(), key=lambda item: -item[1]["summary"]["missing_branches"])
    for name, file in by_gap[:10]:
        print(f"{file['summary']['missing_branches']:4} branches missing in {name}")
    print(f"branches: {share:.1f} % of {totals['num_branches']}; lines: {totals['percent_covered']:.1f} %")
    if share < least:
        sys.exit(f"at least {least:.0f} % of the branches must be tested")


if __name__ == "__main__":
    main()
