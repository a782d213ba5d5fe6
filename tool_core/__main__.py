"""`python -m tool_core` is the program `tool-core`. Edge."""

from tool_core.cli import main

if __name__ == "__main__":
    main()
