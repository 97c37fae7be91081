"""Protobuf on the wire, by hand: what a test writes is exactly what goes out, and nothing of the server's code judges it."""


def varint(value):
    """A base-128 varint; negative numbers in two's complement of 64 bits, as int32 and int64 have them."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """One field: a bool or int as varint; bytes, text and a list of fields (a message) length-delimited."""
    if isinstance(value, (bool, int)):
        return varint(number << 3) + varint(int(value))
    if isinstance(value, str):
        value = value.encode()
    elif isinstance(value, list):
        value = message(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(fields):
    """A message of `(number, value)` in the order given."""
    return b"".join(field(number, value) for number, value in fields)


def read_varint(data, place):
    """Returns the value and the place behind it."""
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, place


def fields(data):
    """The fields of a message: `(number, int or bytes)` in the order on the wire."""
    place = 0
    while place < len(data):
        key, place = read_varint(data, place)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, place = read_varint(data, place)
        elif kind == 2:
            size, place = read_varint(data, place)
            value, place = data[place:place + size], place + size
            assert len(value) == size, "a field goes beyond its message"
        else:
            raise AssertionError(f"wire type {kind} is not used on the device channel")
        yield number, value


class Reader:
    """A message that was read: values by field number."""

    def __init__(self, data):
        self.fields = list(fields(data))

    def all(self, number):
        return [value for key, value in self.fields if key == number]

    def last(self, number, default=None):
        """proto2: of several values of one field, the last counts."""
        return (self.all(number) or [default])[-1]

    def text(self, number, default=""):
        value = self.last(number)
        return default if value is None else value.decode()
