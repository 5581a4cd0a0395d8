#!/usr/bin/env bash
# The output of the recipe with CUDA.
exec bash "$RECIPE_DIR/compile.sh" ON
