"""Devices and CPU threads of ggml, asked of the library that libllama itself uses.

Takes the loaded library as an argument; imports no model library. Imports only protocol.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from app.engine.protocol import DeviceInfo

_KINDS = {0: "cpu", 1: "gpu", 2: "igpu", 3: "accel"}


def list_devices(lib: ctypes.CDLL) -> tuple[DeviceInfo, ...]:
    """Every device llama.cpp can use, with its memory now (free clamped to total: some drivers
    report more).
    """
    _declare(lib)
    found = []
    for index in range(lib.ggml_backend_dev_count()):
        device = lib.ggml_backend_dev_get(index)
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        lib.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
        found.append(
            DeviceInfo(
                name=lib.ggml_backend_dev_name(device).decode(),
                description=lib.ggml_backend_dev_description(device).decode(errors="replace"),
                kind=_KINDS.get(lib.ggml_backend_dev_type(device), "other"),
                free_bytes=min(free.value, total.value),
                total_bytes=total.value,
            )
        )
    return tuple(found)


def _declare(lib: ctypes.CDLL) -> None:
    for name, result in (
        ("ggml_backend_dev_name", ctypes.c_char_p),
        ("ggml_backend_dev_description", ctypes.c_char_p),
        ("ggml_backend_dev_type", ctypes.c_int),
        ("ggml_backend_dev_memory", None),
    ):
        function = getattr(lib, name)
        function.restype = result
    lib.ggml_backend_dev_name.argtypes = [ctypes.c_void_p]
    lib.ggml_backend_dev_description.argtypes = [ctypes.c_void_p]
    lib.ggml_backend_dev_type.argtypes = [ctypes.c_void_p]
    lib.ggml_backend_dev_memory.argtypes = [
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
        ctypes.POINTER(ctypes.c_size_t),
    ]
    lib.ggml_backend_dev_count.restype = ctypes.c_size_t
    lib.ggml_backend_dev_get.argtypes = [ctypes.c_size_t]
    lib.ggml_backend_dev_get.restype = ctypes.c_void_p


class ThreadPool:
    """The CPU threads that the contexts of a pair share, so that no pass starts threads of its own.

    A static or GPU-only build without the functions gets none; llama.cpp then makes its own.
    """

    def __init__(self, lib: ctypes.CDLL, threads: int) -> None:
        self.threads = threads
        self._lib = lib
        self.handle: int | None = None
        self._free: Callable[[int], None] | None = None
        make, free = (
            _cpu_function(lib, "ggml_threadpool_new"),
            _cpu_function(lib, "ggml_threadpool_free"),
        )
        if make is None or free is None:
            return
        params = (ctypes.c_uint8 * 1024)()
        lib.ggml_threadpool_params_init.argtypes = [ctypes.c_void_p, ctypes.c_int]
        lib.ggml_threadpool_params_init(params, threads)
        make_typed = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(make)
        self._free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(free)
        self.handle = make_typed(ctypes.addressof(params))

    def attach(self, context: int) -> None:
        if self.handle:
            self._lib.llama_attach_threadpool.argtypes = [ctypes.c_void_p] * 3
            self._lib.llama_attach_threadpool.restype = None
            self._lib.llama_attach_threadpool(context, self.handle, self.handle)

    def close(self) -> None:
        if self.handle and self._free:
            self._free(self.handle)
            self.handle = None


def _cpu_function(lib: ctypes.CDLL, name: str) -> int | None:
    """Address of a function of the CPU backend, which may be a loaded module."""
    _declare(lib)
    lib.ggml_backend_dev_by_type.argtypes = [ctypes.c_int]
    lib.ggml_backend_dev_by_type.restype = ctypes.c_void_p
    lib.ggml_backend_dev_backend_reg.argtypes = [ctypes.c_void_p]
    lib.ggml_backend_dev_backend_reg.restype = ctypes.c_void_p
    lib.ggml_backend_reg_get_proc_address.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    lib.ggml_backend_reg_get_proc_address.restype = ctypes.c_void_p
    device = lib.ggml_backend_dev_by_type(0)
    if not device:
        return None
    registry = lib.ggml_backend_dev_backend_reg(device)
    address: int | None = lib.ggml_backend_reg_get_proc_address(registry, name.encode())
    return address
