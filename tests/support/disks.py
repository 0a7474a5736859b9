"""Disks that are full or may not be written; a small one is mounted, which only root may do."""

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest


def mounted(*options):
    """Whether it could be mounted."""
    command = ["mount", *map(str, options)]
    return os.getuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0


@contextmanager
def disk(folder, megabytes):
    """A small disk of its own."""
    if not mounted("-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "none", folder):
        pytest.skip("may not mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def unwritable(path):
    """A file or folder that cannot be written; permissions do not keep root from it."""
    if mounted("--bind", path, path):
        assert mounted("-o", "remount,bind,ro", path)
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", path], check=True)
    else:
        before = path.stat().st_mode
        path.chmod(before & 0o555)
        if os.access(path, os.W_OK):
            pytest.skip("permissions do not hold, and nothing may be mounted")
        try:
            yield
        finally:
            path.chmod(before)


@contextmanager
def filled(folder, left):
    """So many bytes of the disk are left, or a little more."""
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(max(shutil.disk_usage(folder).free - left, 0)))
    yield
    ballast.unlink()
