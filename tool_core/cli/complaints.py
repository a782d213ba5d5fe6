"""What the program says when it is used wrongly: one line, with the way out. Edge."""

from __future__ import annotations

from dataclasses import dataclass

from tool_core.errors import ToolError


@dataclass(eq=False)
class CommandError(ToolError):
    """The command cannot be carried out as it was given; the message says what to do instead.

    >>> print(CommandError(None, "there is no file 'x.py'", "give a file or a module"))
    there is no file 'x.py': give a file or a module
    """

    problem: str = ""
    advice: str = ""

    @property
    def message(self) -> str:
        """What is wrong, then what to do."""
        return f"{self.problem}: {self.advice}" if self.advice else self.problem


def complaint(problem: str, advice: str = "") -> CommandError:
    """Make an error of the command line.

    >>> complaint("no tools in 'x.py'").message
    "no tools in 'x.py'"
    """
    return CommandError(None, problem, advice)
