"""The portable files are checked, never executed; the plugin's cases run this environment's mypy."""

import os
import sys
from pathlib import Path

collect_ignore_glob = ["portable/*"]
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
