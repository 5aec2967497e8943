"""A small benchmark on the scripted engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.measure import workloads
from app.measure.arms import parse_arms
from app.measure.asking import Asker
from app.measure.benchmark import Benchmark, Loaded
from app.measure.plan import Plan
from app.measure.results import Results
from app.measure.testbed import Circumstances, ModelFacts
from tests.unit.measure.scripted_link import (
    GrowingProbe,
    ScriptedLink,
    SteadyMeter,
    load_command,
    loaded,
)


def a_plan(**other: object) -> Plan:
    """Chat and long form, four arms, few requests."""
    kinds = (*workloads.load("chat"), *workloads.load("long"))
    plan = Plan(
        workloads=tuple(each.with_limit(31) for each in kinds),
        arms=parse_arms("off,draft:3,auto,lookup"),
        requests=6,
        warm_ups=1,
    )
    return replace(plan, **other)  # type: ignore[arg-type]


def circumstances(**machine: str) -> Circumstances:
    def model(name: str) -> ModelFacts:
        return ModelFacts(f"{name}.gguf", name, "llama", "Q4_K_M", 4 << 30, name[0] * 64, 0)

    return Circumstances(
        machine={"system": "Linux", "processor": "Some CPU <8 cores>"} | machine,
        versions={"slipstream": "0.1"},
        target=model("target"),
        draft=model("draft"),
        settings={"context": "4096", "KV cache": "f16", "answers at once": "4", "threads": "8"},
    )


def an_asker(link: ScriptedLink) -> Asker:
    return Asker(link, meter=SteadyMeter(link), memory=GrowingProbe(), clock=link.clock)


def a_benchmark(link: ScriptedLink, folder: Path, plan: Plan | None = None) -> Benchmark:
    command = load_command()
    report = loaded(command)
    link.report = report
    return Benchmark(plan or a_plan(), an_asker(link), Loaded(command, report), folder)


def run(
    link: ScriptedLink, folder: Path, plan: Plan | None = None, *, resume: bool = False
) -> Results:
    return a_benchmark(link, folder, plan).run(circumstances(), resume=resume)
