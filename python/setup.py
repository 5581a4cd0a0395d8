"""Builds the extension module by CMake, which also builds the library that it is linked with.

WARPSEED_BUILD   a build folder to use, where the library may be built already; else a new one below build/
CMAKE_ARGS       further options for CMake, such as -DWS_CUDA=ON
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent.parent


def version():
    text = (SOURCE / "src/include/warpseed/version.hpp").read_text()
    return re.search(r'version = "([0-9.]+)"', text).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = Path(os.environ.get("WARPSEED_BUILD") or Path(self.build_temp).resolve() / "cmake")
        options = ["-DWS_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        if (folder / "CMakeCache.txt").exists():
            where = [str(folder)]  # keeps the folder's sources and options
        else:
            where = ["-S", str(SOURCE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DWS_TESTS=OFF"]
            where += ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", *where, *options], check=True)
        jobs = str(self.parallel or os.cpu_count() or 1)
        subprocess.run(
            ["cmake", "--build", str(folder), "--target", "warpseed_python", "--parallel", jobs], check=True
        )
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        (built,) = (folder / "python" / "warpseed").glob(f"_warpseed*{target.suffix}")
        shutil.copy2(built, target)


setup(
    version=version(),
    ext_modules=[Extension("warpseed._warpseed", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
