"""Memory of the worker: at start, with a pair loaded, while answering, and after unloading. Prints;
fails on nothing.

    python tests/bench/worker_memory.py [--target FILE] [--draft FILE]
"""

from __future__ import annotations

import argparse
import os
import queue
import sys
import tempfile
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.conversation import ChatMessage, Role
from app.engine.client import EngineClient
from app.engine.protocol import (
    Event,
    Generate,
    GenerationFinished,
    GenerationOptions,
    LoadModels,
    ModelsLoaded,
    Unloaded,
    UnloadModels,
    WorkerExited,
    WorkerStarted,
)


def megabytes(client: EngineClient) -> str:
    """Resident memory of the worker; "gone" when there is none."""
    if client.pid is None:
        return "gone"
    try:
        return f"{psutil.Process(client.pid).memory_info().rss / 2**20:.0f} MiB"
    except psutil.NoSuchProcess:
        return "gone"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    models = Path(
        os.environ.get("SLIPSTREAM_TEST_MODELS") or Path.home() / ".cache/slipstream-test-models"
    )
    parser.add_argument(
        "--target", type=Path, default=models / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    )
    parser.add_argument(
        "--draft", type=Path, default=models / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
    )
    args = parser.parse_args()
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def wait(*kinds: type[Event]) -> Event:
        while not isinstance(event := events.get(timeout=600), kinds):
            continue
        return event

    with tempfile.TemporaryDirectory() as logs:
        client = EngineClient(events.put, log_dir=Path(logs))
        client.start()
        wait(WorkerStarted)
        print(f"worker at start        {megabytes(client)}")
        client.send(LoadModels(args.target, args.draft, n_ctx=8192))
        loaded = wait(ModelsLoaded)
        assert isinstance(loaded, ModelsLoaded)
        for model in (loaded.target, loaded.draft):
            if model is not None:
                print(f"  {model.name}: {model.memory.by_device}")
        print(f"pair loaded            {megabytes(client)}")
        options = GenerationOptions(max_tokens=32)
        client.send(
            Generate("one", messages=(ChatMessage(Role.USER, "Count to ten."),), options=options)
        )
        wait(GenerationFinished)
        print(f"after an answer        {megabytes(client)}")
        client.send(UnloadModels())
        wait(Unloaded, WorkerExited)
        events_left = 0
        while client.pid is not None and events_left < 100:
            events_left += 1
            try:
                events.get(timeout=0.1)
            except queue.Empty:
                continue
        print(f"after unloading        {megabytes(client)}")
        client.stop()


if __name__ == "__main__":
    main()
