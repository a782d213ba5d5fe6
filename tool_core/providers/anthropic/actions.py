"""What Anthropic's tools that this process runs are asked to do, in the API's own words. Layer 3."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from tool_core.mcp.contents import MediaContent, TextContent

Point: TypeAlias = tuple[int, int]
"""A place on the screen: x and y in pixels."""

Screen: TypeAlias = str | list[TextContent | MediaContent]
"""What computer use answers: a text, a screenshot, or both."""


class RunCommand(TypedDict):
    """Run a command in the shell that stays open."""

    command: str
    restart: NotRequired[bool]


class RestartShell(TypedDict):
    """Start the shell anew."""

    restart: bool


BashCall: TypeAlias = RunCommand | RestartShell


class View(TypedDict):
    """Show a file, some of its lines, or a directory."""

    command: Literal["view"]
    path: str
    view_range: NotRequired[tuple[int, int]]


class Create(TypedDict):
    """Write a file."""

    command: Literal["create"]
    path: str
    file_text: str


class StrReplace(TypedDict):
    """Replace a text that occurs once; without `new_str` it is removed."""

    command: Literal["str_replace"]
    path: str
    old_str: str
    new_str: NotRequired[str]


class Insert(TypedDict):
    """Insert a text below a line; older versions call it `new_str`."""

    command: Literal["insert"]
    path: str
    insert_line: int
    insert_text: NotRequired[str]
    new_str: NotRequired[str]


class UndoEdit(TypedDict):
    """Undo the last change of a file."""

    command: Literal["undo_edit"]
    path: str


class Delete(TypedDict):
    """Delete a file or a directory."""

    command: Literal["delete"]
    path: str


class Rename(TypedDict):
    """Move a file or a directory."""

    command: Literal["rename"]
    old_path: str
    new_path: str


EditCall: TypeAlias = View | Create | StrReplace | Insert
EditOrUndoCall: TypeAlias = View | Create | StrReplace | Insert | UndoEdit
MemoryCall: TypeAlias = View | Create | StrReplace | Insert | Delete | Rename


class PressKey(TypedDict):
    """Press a key or a chord, such as `ctrl+s`."""

    action: Literal["key"]
    text: str


class TypeText(TypedDict):
    """Type a text."""

    action: Literal["type"]
    text: str


class MoveMouse(TypedDict):
    """Move the pointer."""

    action: Literal["mouse_move"]
    coordinate: Point


class Click(TypedDict):
    """Click, at the pointer or at a place, perhaps with a modifier key held."""

    action: Literal["left_click", "right_click", "middle_click", "double_click"]
    coordinate: NotRequired[Point]
    text: NotRequired[str]


class Drag(TypedDict):
    """Drag with the left button."""

    action: Literal["left_click_drag"]
    coordinate: Point
    start_coordinate: NotRequired[Point]


class Look(TypedDict):
    """Take a screenshot, or say where the pointer is."""

    action: Literal["screenshot", "cursor_position"]


class TripleClick(TypedDict):
    """Click three times."""

    action: Literal["triple_click"]
    coordinate: NotRequired[Point]
    text: NotRequired[str]


class HoldButton(TypedDict):
    """Press the left button, or let it go."""

    action: Literal["left_mouse_down", "left_mouse_up"]
    coordinate: NotRequired[Point]


class Scroll(TypedDict):
    """Scroll at a place."""

    action: Literal["scroll"]
    coordinate: NotRequired[Point]
    scroll_direction: Literal["up", "down", "left", "right"]
    scroll_amount: int
    text: NotRequired[str]


class HoldKey(TypedDict):
    """Hold a key for some seconds."""

    action: Literal["hold_key"]
    text: str
    duration: float


class Wait(TypedDict):
    """Wait for some seconds."""

    action: Literal["wait"]
    duration: float


class Zoom(TypedDict):
    """Look at a region closely: its left, top, right and bottom."""

    action: Literal["zoom"]
    region: tuple[int, int, int, int]


FirstComputerCall: TypeAlias = PressKey | TypeText | MoveMouse | Click | Drag | Look
ComputerCall: TypeAlias = FirstComputerCall | TripleClick | HoldButton | Scroll | HoldKey | Wait
ZoomingComputerCall: TypeAlias = ComputerCall | Zoom
