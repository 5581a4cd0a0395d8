"""warpseed: search and alignment in genomes, suffix arrays and segmented sort, on the CPU or with CUDA.

Index     the FM-index of a genome: build, open; find and locate patterns
Aligner   aligns reads and pairs; its results have mappy's names
suffix_array, lcp_array, segmented_sort, string_order   on NumPy arrays
to_device, DeviceArray   arrays in a GPU's memory; CuPy's and PyTorch's are taken as well

Results do not depend on the backend or the number of threads. share/doc/python.md has the tutorial.
"""

from ._warpseed import (
    Aligner,
    Alignment,
    AlignmentBatch,
    BackendError,
    DeviceArray,
    Index,
    InputError,
    IoError,
    __version__,
    fastx_read,
    lcp_array,
    segmented_sort,
    string_order,
    suffix_array,
    to_device,
    why_no_gpu,
)

__all__ = [
    "Aligner",
    "Alignment",
    "AlignmentBatch",
    "BackendError",
    "DeviceArray",
    "Index",
    "InputError",
    "IoError",
    "__version__",
    "fastx_read",
    "lcp_array",
    "segmented_sort",
    "string_order",
    "suffix_array",
    "to_device",
    "why_no_gpu",
]
