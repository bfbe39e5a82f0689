# mypy: ignore-errors
# (mpmath, which only this script needs, has no types)
"""Derive the polynomial coefficients of the device library: ``python fit.py > coefficients.h``.

A development tool, run by hand (it needs mpmath); its output is committed. Each polynomial interpolates its
function at Chebyshev nodes in 80-digit arithmetic, which is within a small factor of the minimax one; terms
are added until the error is far below the precision the polynomial is meant for, and reported in a comment.
"""

from collections.abc import Callable

import mpmath as mp

mp.mp.dps = 80
Function = Callable[[mp.mpf], mp.mpf]


def series(terms: Callable[[int], mp.mpf], count: int = 60) -> Function:
    """A function given by its power series (used where the closed form cancels near zero)."""
    coefficients = [terms(k) for k in range(count)]
    return lambda z: mp.polyval(coefficients[::-1], z)


def odd_tail(function: Function, skip: Function, power: int) -> Function:
    """(function(x) - skip(x)) / x^power as a function of z = x*x, safe at zero."""

    def tail(z: mp.mpf) -> mp.mpf:
        with mp.workdps(160):
            x = mp.sqrt(z) if z > mp.mpf(10) ** -40 else mp.mpf(10) ** -20
            return (function(x) - skip(x)) / x**power

    return tail


def erfcx_scaled(t: mp.mpf) -> mp.mpf:
    """(1 + 2x) exp(x^2) erfc(x) with x = 4(1 + t)/(1 - t): smooth on the whole half line."""
    if 1 - t < mp.mpf(10) ** -30:
        return 2 / mp.sqrt(mp.pi)
    x = 4 * (1 + t) / (1 - t)
    if x > 1000:
        z = 1 / (2 * x * x)
        tail = mp.fsum((-1) ** k * mp.fac2(2 * k - 1) * z**k for k in range(12))
        return (1 + 2 * x) / (x * mp.sqrt(mp.pi)) * tail
    with mp.workdps(60 + int(x * x * 0.45) if x < 40 else 800):
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def inverse_erf_ratio(w: mp.mpf) -> mp.mpf:
    """erfinv(x)/x at w = -log(1 - x*x)."""
    x = mp.sqrt(-mp.expm1(-w))
    if x < mp.mpf(10) ** -15:
        return mp.sqrt(mp.pi) / 2
    return mp.erfinv(x) / x


def inverse_erf_tail(s: mp.mpf) -> mp.mpf:
    """erfinv(x) at s = sqrt(-log(1 - x*x)), from the complement so that nothing cancels."""
    small = mp.exp(-s * s)  # 1 - x*x
    complement = small / (1 + mp.sqrt(1 - small))  # 1 - x
    y = s - mp.log(2 + s) / 4
    for _ in range(40):
        step = (mp.erfc(y) - complement) / (-2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
        y -= step / (1 + y * step)
        if abs(step) < mp.mpf(10) ** -50:
            break
    return y


def stirling(z: mp.mpf) -> mp.mpf:
    """x * (lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2) at z = 1/(x*x)."""
    if z < mp.mpf(10) ** -12:
        return mp.mpf(1) / 12 - z / 360
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - (x - 0.5) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def lgamma_over_zeros(x: mp.mpf) -> mp.mpf:
    """lgamma(1 + u) / (u (u - 1)) on [0, 1]: its zeros at 1 and 2 divided out; argument u."""
    if abs(x) < mp.mpf(10) ** -30:
        return mp.euler
    if abs(x - 1) < mp.mpf(10) ** -30:
        return 1 - mp.euler
    return mp.loggamma(1 + x) / (x * (x - 1))


QUARTER_PI_SQUARED = (mp.pi / 4) ** 2
HALF_LN2 = mp.log(2) / 2
LOG_Z = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2
ATAN_Z = (mp.sqrt(2) - 1) ** 2

# name, function, interval, number of coefficients
TABLE: list[tuple[str, str, Function, tuple[object, object], int]] = [
    (
        "sin64",
        "(sin x - x)/x^3, z = x^2, |x| <= pi/4",
        odd_tail(mp.sin, lambda x: x, 3),
        (0, QUARTER_PI_SQUARED),
        7,
    ),
    (
        "cos64",
        "(cos x - 1 + x^2/2)/x^4, z = x^2",
        odd_tail(mp.cos, lambda x: 1 - x * x / 2, 4),
        (0, QUARTER_PI_SQUARED),
        7,
    ),
    (
        "exp64",
        "(exp r - 1 - r)/r^2, |r| <= ln2/2",
        series(lambda k: 1 / mp.factorial(k + 2)),
        (-HALF_LN2, HALF_LN2),
        12,
    ),
    (
        "log64",
        "(2 atanh s - 2s - 2s^3/3)/s^5, z = s^2",
        series(lambda k: mp.mpf(2) / (2 * k + 5)),
        (0, LOG_Z),
        8,
    ),
    (
        "asin64",
        "(asin x - x)/x^3, z = x^2, |x| <= 1/2",
        odd_tail(mp.asin, lambda x: x, 3),
        (0, mp.mpf(1) / 4),
        15,
    ),
    (
        "atan64",
        "(atan x - x)/x^3, z = x^2, |x| <= sqrt2 - 1",
        odd_tail(mp.atan, lambda x: x, 3),
        (0, ATAN_Z),
        12,
    ),
    (
        "erf64",
        "(erf x)/x - 2/sqrt(pi), over x^2, z = x^2, |x| <= 1",
        series(lambda k: 2 / mp.sqrt(mp.pi) * (-1) ** (k + 1) / mp.factorial(k + 1) / (2 * k + 3)),
        (0, 1),
        14,
    ),
    ("erfcx64", "(1 + 2x) erfcx(x), t = (x - 4)/(x + 4)", erfcx_scaled, (-1, 1), 28),
    ("erfinv_centre", "erfinv(x)/x, w = -log(1 - x^2) - 3", lambda w: inverse_erf_ratio(w + 3), (-3, 3), 12),
    (
        "erfinv_tail",
        "erfinv(x), s = sqrt(-log(1 - x^2)) - 4",
        lambda s: inverse_erf_tail(s + 4),
        (mp.sqrt(6) - 4, 3),
        13,
    ),
    (
        "erfinv_far",
        "erfinv(x), s = sqrt(-log(1 - x^2)) - 17",
        lambda s: inverse_erf_tail(s + 17),
        (-10, 11),
        11,
    ),
    ("stirling64", "Stirling's series times x, z = 1/x^2, x >= 8", stirling, (0, mp.mpf(1) / 64), 7),
    (
        "lgamma64",
        "lgamma(1 + u)/(u (u - 1)), v = u - 1/2",
        lambda v: lgamma_over_zeros(v + mp.mpf(1) / 2),
        (mp.mpf(-1) / 2, mp.mpf(1) / 2),
        24,
    ),
    (
        "gamma64",
        "1/gamma(1 + u), v = u - 1/2",
        lambda v: mp.rgamma(v + mp.mpf(3) / 2),
        (mp.mpf(-1) / 2, mp.mpf(1) / 2),
        17,
    ),
]


def interpolate(function: Function, low: mp.mpf, high: mp.mpf, count: int) -> list[mp.mpf]:
    """Coefficients, lowest first, of the polynomial through `count` Chebyshev nodes."""
    middle, half = (high + low) / 2, (high - low) / 2
    nodes = [middle + half * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    differences = [function(x) for x in nodes]  # Newton's divided differences, in place
    for order in range(1, count):
        for k in range(count - 1, order - 1, -1):
            differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - order])
    result = [differences[-1]]
    for k in range(count - 2, -1, -1):
        shifted = [mp.mpf(0), *result]
        scaled = [*(-nodes[k] * c for c in result), mp.mpf(0)]
        result = [a + b for a, b in zip(shifted, scaled, strict=True)]
        result[0] += differences[k]
    return result


def worst_error(function: Function, coefficients: list[mp.mpf], low: mp.mpf, high: mp.mpf) -> mp.mpf:
    """Largest relative error on a grid."""
    grid = [low + (high - low) * k / 97 for k in range(98)]
    return max(abs(mp.polyval(coefficients[::-1], x) / function(x) - 1) for x in grid)


def main() -> None:
    """Print the header."""
    print(
        "// Generated by fit.py; coefficients lowest power first, with the error of the approximation alone."
    )
    print("#ifndef ANYHIP_DEVICELIB_COEFFICIENTS_H\n#define ANYHIP_DEVICELIB_COEFFICIENTS_H\n")
    print("namespace anyhip_coefficients {")
    for name, meaning, function, interval, count in TABLE:
        low, high = mp.mpf(interval[0]), mp.mpf(interval[1])
        coefficients = interpolate(function, low, high, count)
        error = worst_error(function, coefficients, low, high)
        print(f"\n// {meaning}; relative error 2^{mp.nstr(mp.log(error, 2), 4)}")
        print(f"ANYHIP_TABLE double {name}[] = {{")
        for c in coefficients:
            print(f"    {float(c).hex()},")
        print("};")
    print("\n// The bits of 2/pi, 64 a word, after one word of zeros.")
    print("ANYHIP_TABLE unsigned long long two_over_pi[] = {\n    0x0,")
    with mp.workprec(2000):
        bits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * 22)))
    for word in range(21, -1, -1):
        print(f"    {bits >> (64 * word) & (1 << 64) - 1:#018x},")
    print("};")
    print("\n}  // namespace anyhip_coefficients\n\n#endif")


if __name__ == "__main__":
    main()
