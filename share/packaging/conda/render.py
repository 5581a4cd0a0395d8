#!/usr/bin/env python3
"""Renders meta.yaml without conda, with stand-ins for conda-build's functions, and checks what can be checked so: that it is
YAML, that every file which it names is there, and that both outputs are whole. Prints the outputs as JSON.
    render.py [FOLDER]    the folder of the recipe, by default that of this file
"""

import json
import pathlib
import re
import sys

import jinja2
import yaml


def render(folder):
    """The recipe as a dictionary, for Linux; selectors are comments such as # [not linux]."""
    config = yaml.safe_load((folder / "conda_build_config.yaml").read_text())

    def load_file_regex(load_file, regex_pattern, from_recipe_dir=False):
        assert from_recipe_dir, "a path without from_recipe_dir is one of the folder of the build"
        match = re.search(regex_pattern, (folder / load_file).read_text())
        if not match:
            sys.exit(f"meta.yaml: nothing in {load_file} matches {regex_pattern}")
        return match

    def tool(kind, language):
        name, version = config[f"{language}_{kind}"][0], config[f"{language}_{kind}_version"][0]
        return f"{name}_linux-64 {version}.*"

    text = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string((folder / "meta.yaml").read_text()).render(
        load_file_regex=load_file_regex,
        compiler=lambda language: tool("compiler", language),
        stdlib=lambda language: tool("stdlib", language),
        cuda_compiler_version=config["cuda_compiler_version"][0],
        PKG_BUILDNUM=0,
        PKG_HASH="0000000",
    )
    selected = [line for line in text.splitlines() if not re.search(r"#\s*\[not linux\]\s*$", line)]
    return yaml.safe_load("\n".join(selected))


def missing_files(folder, recipe):
    source = (folder / recipe["source"]["path"]).resolve()
    named = [folder / output["script"] for output in recipe["outputs"]] + [source / recipe["about"]["license_file"]]
    return [str(path) for path in named + [source / "CMakeLists.txt"] if not path.is_file()]


def check_as_conda_build(folder, recipe):
    """What conda-build minds and rendering does not show."""
    text = (folder / "meta.yaml").read_text()
    found = re.findall(r"^ +- +(?:name|type):", text, re.MULTILINE)
    if len(found) != len(recipe["outputs"]):
        counts = f"{len(found)} outputs in the text and {len(recipe['outputs'])} in what Jinja makes of it"
        sys.exit(f"meta.yaml: conda-build finds {counts}: write each of them out")
    if (folder / "build.sh").exists():
        sys.exit("build.sh: conda-build runs a script of that name by itself, without arguments; give it another name")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    folder = folder if folder.is_dir() else folder.parent
    recipe = render(folder)
    missing = missing_files(folder, recipe)
    if missing:
        sys.exit(f"meta.yaml names files that are not there: {' '.join(missing)}")
    check_as_conda_build(folder, recipe)
    names = [output["name"] for output in recipe["outputs"]]
    if names != ["warpseed", "warpseed-cuda"]:
        sys.exit(f"meta.yaml: the outputs are {names}")
    for output in recipe["outputs"]:
        if not output["test"]["commands"] or not output["requirements"]["host"]:
            sys.exit(f"meta.yaml: {output['name']} has no tests or no libraries")
    json.dump({"version": str(recipe["package"]["version"]), "outputs": recipe["outputs"]}, sys.stdout, indent=1)
    print()


main()
