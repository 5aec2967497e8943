"""What memory this computer has free, as the engine and the monitor last said."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.protocol import DeviceInfo, Event, ModelsLoaded, WorkerStarted
from app.monitor.probes import first_probe
from app.session.fitting import MachineMemory, machine_memory


class Machine:
    """Asked on any thread; told on the window's."""

    def __init__(self) -> None:
        self._probe = first_probe()
        self._devices: tuple[DeviceInfo, ...] = ()
        self._loaded: ModelsLoaded | None = None

    @property
    def is_known(self) -> bool:
        """Whether the engine has told its devices."""
        return bool(self._devices)

    def on_events(self, events: Sequence[Event], loaded: ModelsLoaded | None) -> bool:
        """Take note of devices and of what is loaded; whether the devices are news."""
        self._loaded = loaded
        started = [event for event in events if isinstance(event, WorkerStarted)]
        if not started or started[-1].devices == self._devices:
            return False
        self._devices = started[-1].devices
        return True

    def now(self) -> MachineMemory:
        """Free memory, the loaded pair counted as free: the next one takes its place."""
        taken = self._probe.sample()
        return machine_memory(
            self._devices, taken.ram_available_bytes, taken.ram_total_bytes, self._loaded
        )

    def close(self) -> None:
        """Let go of what the probe holds."""
        self._probe.close()
