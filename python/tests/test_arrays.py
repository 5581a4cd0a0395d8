"""Suffix arrays, LCP arrays and sorts against Python's sorted()."""

import numpy as np
import pytest
import warpseed
from conftest import BACKENDS, random_bases


class OnDevice:
    """What CuPy's arrays look like to the module."""

    __cuda_array_interface__ = {"shape": (4,), "typestr": "<u4", "data": (0, False), "version": 3}


def expected_suffixes(text):
    return sorted(range(len(text)), key=lambda i: text[i:])


def expected_lcp(text, suffixes):
    def common(a, b):
        return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))

    return [0] * min(1, len(text)) + [common(text[i:], text[j:]) for i, j in zip(suffixes, suffixes[1:])]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [None, np.uint32, np.uint64])
def test_suffix_and_lcp_arrays(generator, dtype, backend):
    texts = [b"", b"a", b"mississippi", b"a" * 300, b"ab" * 200, bytes(range(256)) * 2]
    texts += [random_bases(generator, 1000, letters).encode() for letters in ("A", "AC", "ACGT")]
    texts.append(bytes(generator.randrange(256) for _ in range(2000)))
    for text in texts:
        suffixes = warpseed.suffix_array(text, dtype=dtype, backend=backend)
        assert suffixes.dtype == (dtype or np.uint32)
        assert suffixes.tolist() == expected_suffixes(text)
        lcp = warpseed.lcp_array(text, suffixes, backend=backend)
        assert lcp.dtype == suffixes.dtype
        assert lcp.tolist() == expected_lcp(text, suffixes.tolist())
        array = np.frombuffer(text, np.uint8)
        assert warpseed.suffix_array(array).tolist() == suffixes.tolist()
        assert warpseed.lcp_array(array, suffixes, threads=1).tolist() == lcp.tolist()
    assert warpseed.suffix_array("banana").tolist() == [5, 3, 1, 0, 4, 2]


def test_bad_texts():
    with pytest.raises(ValueError, match="ASCII"):
        warpseed.suffix_array("Käse")
    with pytest.raises(TypeError, match="uint8"):
        warpseed.suffix_array(np.zeros(3, np.int32))
    with pytest.raises(TypeError, match="in one piece"):
        warpseed.suffix_array(np.zeros(30, np.uint8)[::2])
    with pytest.raises(TypeError, match="uint8"):
        warpseed.suffix_array(np.zeros((3, 3), np.uint8))
    with pytest.raises(TypeError):
        warpseed.suffix_array(5)
    with pytest.raises(ValueError, match="uint32 or uint64"):
        warpseed.suffix_array("a", dtype=np.int32)
    with pytest.raises(warpseed.InputError, match="3 positions"):
        warpseed.lcp_array("ab", np.zeros(3, np.uint32))
    with pytest.raises(warpseed.InputError, match="outside"):
        warpseed.lcp_array("ab", np.array([0, 2], np.uint32))
    with pytest.raises(TypeError, match="uint32 or uint64"):
        warpseed.lcp_array("ab", np.array([0, 1]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("value_type", [None, np.uint32, np.uint64])
def test_segmented_sort(generator, value_type, backend):
    lengths = [0, 1, 2, 31, 32, 33, 0, 1000, 70_000, 5]
    offsets = np.cumsum([3] + lengths)
    count = int(offsets[-1]) + 2  # keys before and after the segments stay
    keys = [generator.choice((generator.randrange(2**32), generator.randrange(9))) for _ in range(count)]
    keys = np.array(keys, np.uint32)
    values = None if value_type is None else np.arange(count, dtype=value_type)
    expected_keys, order = keys.copy(), np.arange(count)
    for begin, end in zip(offsets, offsets[1:]):
        order[begin:end] = sorted(range(begin, end), key=lambda i: keys[i])
    expected_keys = keys[order]
    assert warpseed.segmented_sort(keys, offsets, values, backend=backend, threads=2) is None
    assert np.array_equal(keys, expected_keys)
    if values is not None:
        assert np.array_equal(values, order)


def test_bad_segments():
    keys = np.array([3, 1, 2], np.uint32)
    for offsets in ([0, 4], [2, 1], [-1, 2]):
        with pytest.raises(ValueError):
            warpseed.segmented_sort(keys, offsets)
    with pytest.raises(TypeError, match="offsets"):
        warpseed.segmented_sort(keys, [0.5, 2.0])
    with pytest.raises(ValueError, match="one value for each key"):
        warpseed.segmented_sort(keys, [0, 3], np.zeros(2, np.uint32))
    with pytest.raises(TypeError, match="keys: .* not int64"):
        warpseed.segmented_sort(keys.astype(np.int64), [0, 3])
    with pytest.raises(TypeError, match="with gaps"):
        warpseed.segmented_sort(np.zeros(6, np.uint32)[::2], [0, 3])
    keys.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        warpseed.segmented_sort(keys, [0, 3])
    assert keys.tolist() == [3, 1, 2]
    warpseed.segmented_sort(np.zeros(0, np.uint32), [])


def test_string_order(generator):
    strings = [random_bases(generator, generator.randrange(8), "ab\xff") for _ in range(500)]
    coded = [string.encode() for string in strings]
    expected = sorted(range(500), key=lambda i: coded[i])
    assert warpseed.string_order(strings).tolist() == expected
    assert warpseed.string_order(coded, backend="cpu").tolist() == expected


@pytest.mark.parametrize(
    "call",
    [
        lambda array: warpseed.lcp_array("abcd", array),
        lambda array: warpseed.segmented_sort(np.zeros(4, np.uint32), array),
        lambda array: warpseed.segmented_sort(np.zeros(4, np.uint32), [0, 4], array),
    ],
)
def test_arrays_on_a_device_among_arrays_on_the_host_are_refused_with_the_way_out(call):
    with pytest.raises(TypeError, match=r"on a device.*cupy.asnumpy"):
        call(OnDevice())


no_gpu = pytest.mark.skipif(bool(warpseed.why_no_gpu()), reason=f"no GPU: {warpseed.why_no_gpu()}")


@pytest.mark.skipif(not warpseed.why_no_gpu(), reason="there is a GPU")
def test_arrays_on_a_device_need_a_gpu():
    for call in (lambda: warpseed.suffix_array(OnDevice()), lambda: warpseed.to_device(np.zeros(3, np.uint32))):
        with pytest.raises(warpseed.BackendError):
            call()


class Queued:
    """An array on a device as another library shows it: with a stream whose work may not be done."""

    def __init__(self, array, **changes):
        self.array = array  # keeps the memory
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "stream": 1, **changes}


@no_gpu
def test_suffix_and_lcp_arrays_on_a_device(generator):
    for text in (b"", b"mississippi", b"a" * 5000, random_bases(generator, 20_000).encode()):
        array = warpseed.to_device(np.frombuffer(text, np.uint8))
        for given in (array, Queued(array)):
            suffixes = warpseed.suffix_array(given)
            assert (suffixes.dtype, suffixes.shape, len(suffixes)) == (np.uint32, (len(text),), len(text))
            expected = warpseed.suffix_array(text, backend="cpu")
            assert np.array_equal(suffixes.get(), expected)
            lcp = warpseed.lcp_array(given, suffixes)
            assert np.array_equal(lcp.get(), warpseed.lcp_array(text, expected, backend="cpu"))
    with pytest.raises(TypeError, match="u1 on a device"):
        warpseed.suffix_array(warpseed.to_device(np.zeros(3, np.uint32)))
    with pytest.raises(TypeError, match="gaps"):
        warpseed.suffix_array(Queued(array, strides=(2,)))
    with pytest.raises(TypeError, match="2 dimensions"):
        warpseed.suffix_array(Queued(array, shape=(2, 2)))


@no_gpu
@pytest.mark.parametrize("value_type", [None, np.uint32, np.uint64])
def test_segmented_sort_on_a_device(generator, value_type):
    keys = np.array([generator.choice((generator.randrange(2**32), 7)) for _ in range(80_000)], np.uint32)
    offsets = np.array([3, 3, 4, 36, 1000, 79_000], np.uint64)
    values = None if value_type is None else np.arange(keys.size, dtype=value_type)
    moved = None if values is None else warpseed.to_device(values)
    array = warpseed.to_device(keys)
    first = warpseed.to_device(keys)
    warpseed.segmented_sort(array, offsets, moved)
    warpseed.segmented_sort(Queued(first), warpseed.to_device(offsets))
    warpseed.segmented_sort(keys, offsets, values, backend="cpu")
    assert np.array_equal(array.get(), keys)
    assert np.array_equal(first.get(), keys)
    assert values is None or np.array_equal(moved.get(), values)
    with pytest.raises(ValueError, match="read-only"):
        warpseed.segmented_sort(Queued(first, data=(first.__cuda_array_interface__["data"][0], True)), [0, 4])
    with pytest.raises(ValueError, match="past the last key"):
        warpseed.segmented_sort(first, [0, 80_001])
    with pytest.raises(TypeError, match="one on the host"):
        warpseed.segmented_sort(first, [0, 4], np.zeros(80_000, np.uint32))


@no_gpu
def test_cupy_takes_and_gives_arrays_without_a_copy(generator):
    cupy = pytest.importorskip("cupy")
    text = random_bases(generator, 20_000).encode()
    on_device = cupy.asarray(np.frombuffer(text, np.uint8))
    suffixes = warpseed.suffix_array(on_device)
    taken = cupy.asarray(suffixes)
    assert taken.data.ptr == suffixes.__cuda_array_interface__["data"][0]
    expected = warpseed.suffix_array(text, backend="cpu")
    assert np.array_equal(taken.get(), expected)
    lcp = cupy.asarray(warpseed.lcp_array(on_device, taken))
    assert np.array_equal(lcp.get(), warpseed.lcp_array(text, expected, backend="cpu"))

    keys = np.array([generator.randrange(1000) for _ in range(80_000)], np.uint32)
    values = np.arange(keys.size, dtype=np.uint64)
    offsets = np.array([3, 3, 4, 36, 1000, 79_000], np.uint64)
    sorted_keys, sorted_values = cupy.asarray(keys), cupy.asarray(values)
    with cupy.cuda.Stream(non_blocking=True):  # the sort waits for what is queued there
        sorted_keys += cupy.uint32(5)
        warpseed.segmented_sort(sorted_keys, cupy.asarray(offsets), sorted_values)
    keys += 5
    warpseed.segmented_sort(keys, offsets, values, backend="cpu")
    assert np.array_equal(sorted_keys.get(), keys)
    assert np.array_equal(sorted_values.get(), values)
