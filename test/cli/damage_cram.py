"""Damages CRAM 3 so that its checksums still hold: damage_cram.py IN COUNT SEED PREFIX writes PREFIX0.cram, PREFIX1.cram...

In each file one to eight bytes are other than in IN: of blocks' contents or heads (method, type, sizes), of containers'
heads. Format: the CRAM 3.1 specification of samtools/hts-specs, sections 6 to 8.
"""

import random
import struct
import sys
import zlib


def itf8(data, at):
    """A number of 1 to 5 bytes, and the position after it."""
    first = data[at]
    more = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1 if first >= 0x80 else 0
    value = first & (0xFF >> (more + 1)) if more < 4 else first & 0x0F
    for byte in data[at + 1 : at + more]:
        value = value << 8 | byte
    if more == 4:
        value = value << 4 | data[at + 4] & 0x0F
    elif more:
        value = value << 8 | data[at + more]
    return value, at + more + 1


def ltf8_end(data, at):
    ones = 0
    while ones < 8 and data[at] & (0x80 >> ones):
        ones += 1
    return at + 1 + ones


def parts(data):
    """(begin, end) of what a checksum of 4 bytes at `end` covers: heads of containers, and their blocks."""
    at = 26
    while at < len(data):
        begin = at
        length = struct.unpack_from("<i", data, at)[0]
        at += 4
        for _ in range(4):
            at = itf8(data, at)[1]
        at = ltf8_end(data, ltf8_end(data, at))
        at = itf8(data, at)[1]
        landmarks, at = itf8(data, at)
        for _ in range(landmarks):
            at = itf8(data, at)[1]
        yield begin, at
        at += 4
        end = at + length
        while at < end:
            begin = at
            at = itf8(data, at + 2)[1]
            size, at = itf8(data, at)
            at = itf8(data, at)[1] + size
            yield begin, at
            at += 4


def main():
    with open(sys.argv[1], "rb") as file:
        original = file.read()
    count, chance, prefix = int(sys.argv[2]), random.Random(int(sys.argv[3])), sys.argv[4]
    covered = list(parts(original))
    for number in range(count):
        data = bytearray(original)
        for _ in range(chance.choice([1, 1, 2, 8])):
            begin, end = chance.choice(covered)
            # Half of the damage is near the beginning, where heads, encodings and tables of codecs are.
            at = chance.randrange(begin, end if chance.random() < 0.5 else min(end, begin + 40))
            data[at] = chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])
        for begin, end in covered:
            data[end : end + 4] = struct.pack("<I", zlib.crc32(data[begin:end]))
        with open(f"{prefix}{number}.cram", "wb") as file:
            file.write(data)


main()
