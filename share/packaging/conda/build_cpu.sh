#!/usr/bin/env bash
# The output of the recipe without CUDA.
exec bash "$RECIPE_DIR/compile.sh" OFF
