"""What the set-up needs from the system: a C++ compiler to build with, libraries for the window.

Installs them when it may (root with apt-get), else names one line to paste. Standard library only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from console import CommandFailed, SetupError, run_logged, say

# Shared library -> Debian package. ldd says which are missing, so the list may be longer than need.
DEBIAN_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
ARCH_PACKAGES = [
    *("libglvnd", "libx11", "libxkbcommon-x11", "xcb-util-cursor", "xcb-util-wm", "wayland"),
    *("xcb-util-keysyms", "xcb-util-image", "xcb-util-renderutil", "fontconfig", "dbus", "glib2"),
]
FONTS = "fonts"  # stands for "some font" in lists of missing things
COMPILER = "compiler"
VULKAN = "vulkan"
PYTHON_VENV = "venv"


@dataclass(frozen=True, slots=True)
class Manager:
    """A package manager: how to install, and what it calls things that are no shared library."""

    program: str
    install: tuple[str, ...]
    names: dict[str, str]


MANAGERS = (
    Manager(
        "apt-get",
        ("apt-get", "install", "-y", "--no-install-recommends"),
        {
            COMPILER: "build-essential",
            FONTS: "fonts-dejavu-core",
            VULKAN: "libvulkan-dev glslc spirv-headers",
            PYTHON_VENV: f"python{sys.version_info[0]}.{sys.version_info[1]}-venv",
        },
    ),
    Manager(
        "dnf",
        ("dnf", "install", "-y"),
        {
            COMPILER: "gcc-c++",
            FONTS: "dejavu-sans-fonts",
            VULKAN: "vulkan-loader-devel glslc spirv-headers-devel",
        },
    ),
    Manager(
        "zypper",
        ("zypper", "--non-interactive", "install"),
        {
            COMPILER: "gcc-c++",
            FONTS: "dejavu-fonts",
            VULKAN: "vulkan-devel shaderc spirv-headers",
        },
    ),
    Manager(
        "pacman",
        ("pacman", "-S", "--needed", "--noconfirm"),
        {
            COMPILER: "gcc",
            FONTS: "ttf-dejavu",
            VULKAN: "vulkan-headers vulkan-icd-loader shaderc spirv-headers",
        },
    ),
)
WINDOWS_COMPILER = (
    "winget install Microsoft.VisualStudio.2022.BuildTools --override "
    '"--passive --wait --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"'
)


def find_manager() -> Manager | None:
    """The package manager of this system, if it is one we know."""
    return next((m for m in MANAGERS if shutil.which(m.program)), None)


def package_names(manager: Manager, missing: Sequence[str]) -> list[str]:
    """What the manager calls the missing things, each once."""
    names: list[str] = []
    for thing in missing:
        if thing in manager.names:
            names += manager.names[thing].split()
        elif manager.program == "apt-get":
            names.append(DEBIAN_PACKAGES.get(thing, thing))
        elif manager.program == "pacman":
            names += ARCH_PACKAGES
        else:  # dnf and zypper find the package of a library by the library's name
            names.append(f"'{thing}()(64bit)'")
    return list(dict.fromkeys(names))


def paste_line(missing: Sequence[str]) -> str:
    """The one line that a person may paste to install what is missing."""
    manager = find_manager()
    if manager is None:
        return f"(install these by your system's package manager: {' '.join(missing)})"
    return " ".join(["sudo", *manager.install, *package_names(manager, missing)])


def install(missing: Sequence[str], why: str, log: Path) -> None:
    """Install what is missing if we may; else a SetupError that names the line to paste."""
    manager = find_manager()
    if manager is None or manager.program != "apt-get" or os.geteuid() != 0:
        raise SetupError(f"{why} Paste this line, then start again:\n\n    {paste_line(missing)}\n")
    names = package_names(manager, missing)
    say(f"Installing from the system's packages: {' '.join(names)}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    command = [*manager.install, *names]
    try:
        run_logged("Installing system packages", command, log, env=quiet)
    except CommandFailed:  # a fresh machine has no package lists yet, an old one has old ones
        run_logged("Refreshing the package lists", ["apt-get", "update"], log, env=quiet)
        run_logged("Installing system packages", command, log, env=quiet)


def require_compiler(log: Path) -> None:
    """Make sure that a C++ compiler is there."""
    if sys.platform == "win32":
        if not _has_visual_studio():
            raise SetupError(
                "Building the engine needs Microsoft's C++ compiler. Paste this line, then start "
                f"again:\n\n    {WINDOWS_COMPILER}\n"
            )
    elif sys.platform == "darwin":
        found = subprocess.run(["xcode-select", "-p"], capture_output=True, check=False)
        if found.returncode != 0:
            raise SetupError(
                "Building the engine needs Apple's compiler. Paste this line, then start again:"
                "\n\n    xcode-select --install\n"
            )
    elif os.environ.get("CXX") is None and not any(map(shutil.which, ("c++", "g++", "clang++"))):
        install([COMPILER], "Building the engine needs a C++ compiler.", log)


def _has_visual_studio() -> bool:
    programs = os.environ.get("PROGRAMFILES(X86)", r"C:\Program Files (x86)")
    vswhere = Path(programs) / "Microsoft Visual Studio" / "Installer" / "vswhere.exe"
    if not vswhere.exists():
        return False
    wanted = ["-products", "*", "-requires", "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"]
    asked = [str(vswhere), "-latest", *wanted, "-property", "installationPath"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return bool(found.stdout.strip())


def require_vulkan_tools(log: Path) -> None:
    """Make sure that Vulkan's headers and shader compiler are there (Linux)."""
    if sys.platform == "linux" and "VULKAN_SDK" not in os.environ:
        headers = Path("/usr/include/vulkan/vulkan.h").exists()
        if not (headers and shutil.which("glslc")):
            install([VULKAN], "Building with Vulkan needs its headers and shader compiler.", log)


def missing_window_libraries(site_packages: Path) -> list[str]:
    """Shared libraries, or "fonts", that the window would lack. Only Linux can lack any."""
    if sys.platform != "linux" or shutil.which("ldd") is None:
        return []
    qt = site_packages / "PySide6" / "Qt"
    wanted = [qt / "lib" / "libQt6Widgets.so.6", qt / "plugins" / "platforms" / "libqxcb.so"]
    if os.geteuid() == 0 or "WAYLAND_DISPLAY" in os.environ:
        wanted.append(qt / "plugins" / "platforms" / "libqwayland.so")
    missing: list[str] = []
    for file in wanted:
        done = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=False)
        missing += missing_in_ldd(done.stdout)
    if not _has_fonts():
        missing.append(FONTS)
    return list(dict.fromkeys(missing))


def missing_in_ldd(output: str) -> list[str]:
    """The libraries that ldd reports as not found."""
    return re.findall(r"^\s*(\S+) => not found", output, re.MULTILINE)


def _has_fonts() -> bool:
    home = Path.home()
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts"]
    folders.append(home / ".local/share/fonts")
    return any(
        next((found for ending in ("ttf", "otf", "ttc") for found in f.rglob(f"*.{ending}")), None)
        for f in folders
        if f.is_dir()
    )
