"""From a toolkit to a prepared request, remembered for the next turn. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tool_core.choices import ToolChoice, allowed_tools
from tool_core.errors import ToolConfigurationError, UnsupportedSchemaError
from tool_core.providers.apis import Api, Choice, Draft
from tool_core.providers.output_formats import OutputFormat, output_format, output_schema_of
from tool_core.providers.prepared import Prepared, written
from tool_core.providers.requests import checked_flag
from tool_core.providers.wire_names import wire_names
from tool_core.schemas import Schema
from tool_core.strict import ModelInfo, fitting_form, model_info, plan_strict, resolve_strict_format
from tool_core.strict.models import strict_descriptor
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool

_REMEMBERED = 128


def prepare(
    api: Api,
    kit: Toolkit[Any],
    model: ModelInfo | str,
    tool_choice: ToolChoice | None,
    strict_json_schema: bool | None,
    output_schema: object,
    options: Mapping[str, object],
) -> Prepared[Any, Any, Any]:
    """Prepare a request; the same arguments give the same value, made once."""
    if not isinstance(kit, Toolkit):
        advice = "for a bound one pass `bound.toolkit`" if hasattr(kit, "toolkit") else "use Toolkit.make"
        raise ToolConfigurationError(
            None, f"prepare_tools takes a Toolkit, not {type(kit).__name__}; {advice}"
        )
    if not isinstance(model, ModelInfo) and not (isinstance(model, str) and model):
        raise ToolConfigurationError(None, f"model is the id of a model or a ModelInfo, not {model!r}")
    checked_flag("strict_json_schema", strict_json_schema)
    schema = None if output_schema is None else output_schema_of(output_schema)
    chosen = Choice.of(tool_choice, allowed_tools(tool_choice, kit.tools.keys()))
    said = {key: value for key, value in options.items() if value is not None}
    key: tuple[Any, ...] = (api, kit, model, chosen, strict_json_schema, schema, json.dumps(said))
    try:
        hash(key)
    except TypeError:  # a stranger's schema need not be hashable
        return _prepared(*key)
    return _remembered(*key)


def _prepared(
    api: Api,
    kit: Toolkit[Any],
    model: ModelInfo | str,
    choice: Choice | None,
    config: bool | None,
    schema: Schema[object] | None,
    options_text: str,
) -> Prepared[Any, Any, Any]:
    tools = _sent(api, kit, choice)
    info = _known(model, api)
    output = None if schema is None else _output(api, schema, info, config)
    planned = schema.json_schema() if schema is not None and output is not None and output.is_strict else None
    names = wire_names(tools, api.name_rule, api.provider_name)
    plan = api.adjust(plan_strict(tools, info, planned, config), choice)
    output = None if output is None else output.named_apart(names.values())
    return written(api, Draft(tools, plan, names, choice, output, json.loads(options_text)))


_remembered = lru_cache(maxsize=_REMEMBERED)(_prepared)


def _sent(api: Api, kit: Toolkit[Any], choice: Choice | None) -> tuple[AnyTool, ...]:
    if choice is not None and choice.one_of is not None and api.leaves_out:
        tools = tuple(kit.filter(choice.one_of))
    else:
        tools = tuple(kit)
    if not tools and choice is not None and choice.mode == "required":
        raise ToolConfigurationError(None, "the tool choice demands a call, but there is no tool to call")
    return tools


def _known(model: ModelInfo | str, api: Api) -> ModelInfo:
    """Look a model up; one that nobody knows gets what the API demands of every model."""
    info = model_info(model)
    if resolve_strict_format(info) is not None:
        return info
    if info.supports_strict:  # in which dialect nobody said, so in that of the API
        return replace(info, strict_format=api.lenient.family)
    return replace(info, dialect=api.lenient)


def _output(api: Api, schema: Schema[object], model: ModelInfo, config: bool | None) -> OutputFormat:
    """Take the strict form where the model has one and a request can hold it; else the lenient one."""
    descriptor = strict_descriptor(model)
    if descriptor is None or (config is False and api.output_has_flag):
        return output_format(schema, None, api.lenient)
    try:
        form, usage = fitting_form(schema.json_schema(), descriptor)
    except UnsupportedSchemaError:
        return output_format(schema, None, api.lenient)
    fits = replace(usage, tools=0).excess(descriptor.budget) is None
    return output_format(schema, form if fits else None, api.lenient)
