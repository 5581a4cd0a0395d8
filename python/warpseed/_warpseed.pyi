"""Types of the extension module; the docstrings are in the module itself."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, Union, overload

import numpy as np
import numpy.typing as npt

__version__: str

_Path = Union[str, PathLike[str]]
_Text = Union[str, bytes]
_Patterns = Union[
    Iterable[_Text],
    npt.NDArray[np.uint8],  # [patterns, length]
    tuple[npt.NDArray[np.uint8], npt.ArrayLike],  # codes [bases], offsets [patterns + 1]
]
_Strand = Literal["both", "forward", "reverse"]

class InputError(ValueError): ...
class IoError(OSError): ...
class BackendError(RuntimeError): ...

class Scoring(TypedDict, total=False):
    match: int
    mismatch: int
    deletion_open: int
    insertion_open: int
    deletion_extend: int
    insertion_extend: int
    clip_begin: int
    clip_end: int
    unpaired: int
    drop: int

class LongScoring(TypedDict, total=False):
    match: int
    mismatch: int
    gap_open: int
    gap_extend: int
    long_gap_open: int
    long_gap_extend: int
    drop: int
    end_bonus: int

class Index:
    @staticmethod
    def build(
        fasta: Union[_Path, Sequence[_Path]],
        output: Union[_Path, None] = None,
        *,
        backend: str = "auto",
        threads: int = 0,
        sample_step: int = 4,
    ) -> Index: ...
    @staticmethod
    def build_from_sequences(
        contigs: Sequence[tuple[str, str]], *, backend: str = "auto", threads: int = 0, sample_step: int = 4
    ) -> Index: ...
    @staticmethod
    def open(path: _Path, *, backend: str = "auto", threads: int = 0) -> Index: ...
    def save(self, path: _Path) -> None: ...
    def find(self, patterns: _Patterns, *, strand: _Strand = "both") -> npt.NDArray[np.void]: ...
    def locate(
        self, patterns: _Patterns, max_hits: Union[int, None] = None, *, strand: _Strand = "both"
    ) -> npt.NDArray[np.void]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def lengths(self) -> npt.NDArray[np.int64]: ...
    @property
    def backend(self) -> str: ...
    @property
    def threads(self) -> int: ...
    def bases(self, contig: Union[int, str], begin: int = 0, end: Union[int, None] = None) -> str: ...
    def sam_header(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

class Alignment:
    @property
    def ctg(self) -> str: ...
    @property
    def ctg_len(self) -> int: ...
    @property
    def r_st(self) -> int: ...
    @property
    def r_en(self) -> int: ...
    @property
    def strand(self) -> Literal[1, -1]: ...
    @property
    def trans_strand(self) -> Literal[0]: ...
    @property
    def blen(self) -> int: ...
    @property
    def mlen(self) -> int: ...
    @property
    def NM(self) -> int: ...
    @property
    def mapq(self) -> int: ...
    @property
    def cigar(self) -> list[list[int]]: ...
    @property
    def cigar_str(self) -> str: ...
    @property
    def MD(self) -> str: ...
    @property
    def cs(self) -> str: ...
    @property
    def is_primary(self) -> bool: ...
    @property
    def read_num(self) -> Literal[1, 2]: ...
    @property
    def q_st(self) -> int: ...
    @property
    def q_en(self) -> int: ...
    @property
    def flag(self) -> int: ...
    @property
    def score(self) -> int: ...
    @property
    def second_score(self) -> int: ...
    @property
    def sam_cigar(self) -> str: ...
    @property
    def RG(self) -> str: ...
    @property
    def SA(self) -> str: ...
    @property
    def XA(self) -> str: ...
    @property
    def ds(self) -> str: ...
    @property
    def contig(self) -> int: ...
    @property
    def template_length(self) -> int: ...
    @property
    def is_proper_pair(self) -> bool: ...
    @property
    def is_secondary(self) -> bool: ...
    @property
    def is_supplementary(self) -> bool: ...
    @property
    def tags(self) -> str: ...
    @property
    def mate(self) -> Union[tuple[int, int, int, str], None]: ...
    @property
    def name(self) -> Union[str, None]: ...
    @property
    def query(self) -> str: ...
    @property
    def qualities(self) -> Union[str, None]: ...
    def to_pysam(self, header: Any, read_group: Union[str, None] = None) -> Any: ...

class AlignmentBatch:
    @property
    def paired(self) -> bool: ...
    @property
    def read_group(self) -> str: ...
    def read(self, number: int) -> tuple[Union[str, None], str, Union[str, None]]: ...
    def to_numpy(self) -> npt.NDArray[np.void]: ...
    def to_pysam(self, header: Any, read_group: Union[str, None] = None) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> list[Alignment]: ...

class Aligner:
    def __init__(
        self,
        index: Union[Index, _Path],
        preset: str = "auto",
        *,
        backend: Union[str, None] = None,
        threads: Union[int, None] = None,
        scoring: Scoring = ...,
        long_scoring: LongScoring = ...,
        min_seed: int = 19,
        band: int = 100,
        reseed_factor: float = 1.5,
        reseed_rows: int = 10,
        rare_rows: int = 20,
        rival_edits: int = 2,
        max_occurrences: int = 500,
        chain_drop: float = 0.5,
        max_chains: int = 128,
        max_diagonals: int = 1024,
        min_score: int = 30,
        min_long_score: int = 80,
        max_rescues: int = 50,
        rescue_mates: bool = True,
        pairing: bool = True,
        report_all: bool = False,
        soft_clip_split: bool = False,
        split_as_secondary: bool = False,
        max_alternatives: int = 5,
        max_with_alt: int = 200,
        long_reads: bool = True,
        cs: Literal["none", "short", "long"] = "none",
        ds: bool = False,
        eqx: bool = False,
        alternative_ratio: float = 0.8,
        alt_contigs: Sequence[str] = ...,
        device_memory: int = 0,
        read_group: str = "",
    ) -> None: ...
    def map(
        self,
        name: Union[_Text, None],
        seq1: _Text,
        seq2: Union[_Text, None] = None,
        qual1: Union[_Text, None] = None,
        qual2: Union[_Text, None] = None,
    ) -> Iterator[Alignment]: ...
    def map_batch(
        self,
        names: Union[Iterable[_Text], None],
        seqs1: Iterable[_Text],
        seqs2: Union[Iterable[_Text], None] = None,
        quals1: Union[Iterable[Union[_Text, None]], None] = None,
        quals2: Union[Iterable[Union[_Text, None]], None] = None,
    ) -> AlignmentBatch: ...
    def map_files(
        self, path1: _Path, path2: Union[_Path, None] = None, interleaved: bool = False
    ) -> Iterator[AlignmentBatch]: ...
    def set_fragment_length(self, mean: float, deviation: float = 0, low: int = 0, high: int = 0) -> None: ...
    @property
    def index(self) -> Index: ...
    @property
    def read_group_line(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def threads(self) -> int: ...

@overload
def fastx_read(path: _Path, read_comment: Literal[False] = False) -> Iterator[tuple[str, str, Union[str, None]]]: ...
@overload
def fastx_read(path: _Path, read_comment: Literal[True]) -> Iterator[tuple[str, str, Union[str, None], str]]: ...
class DeviceArray:
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    @property
    def shape(self) -> tuple[int]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def device(self) -> int: ...
    def get(self) -> npt.NDArray[Any]: ...
    def __len__(self) -> int: ...

class _OnDevice(Protocol):  # arrays of CuPy, PyTorch, Numba, and DeviceArray
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

def to_device(values: npt.NDArray[Any], *, backend: str = "cuda") -> DeviceArray: ...
@overload
def suffix_array(
    text: Union[_Text, npt.NDArray[np.uint8]],
    *,
    dtype: npt.DTypeLike = None,
    backend: str = "auto",
    threads: int = 0,
) -> npt.NDArray[Any]: ...
@overload
def suffix_array(
    text: _OnDevice, *, dtype: npt.DTypeLike = None, backend: str = "auto", threads: int = 0
) -> DeviceArray: ...
@overload
def lcp_array(
    text: Union[_Text, npt.NDArray[np.uint8]],
    sa: npt.NDArray[Any],
    *,
    backend: str = "auto",
    threads: int = 0,
) -> npt.NDArray[Any]: ...
@overload
def lcp_array(text: _OnDevice, sa: _OnDevice, *, backend: str = "auto", threads: int = 0) -> DeviceArray: ...
def segmented_sort(
    keys: Union[npt.NDArray[np.uint32], _OnDevice],
    offsets: Union[npt.ArrayLike, _OnDevice],
    values: Union[npt.NDArray[Any], _OnDevice, None] = None,
    *,
    backend: str = "auto",
    threads: int = 0,
) -> None: ...
def string_order(
    strings: Iterable[_Text], *, backend: str = "auto", threads: int = 0
) -> npt.NDArray[np.uint32]: ...
def why_no_gpu() -> str: ...
