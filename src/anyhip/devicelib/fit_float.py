# mypy: ignore-errors
# (mpmath and this script's use of numpy have no types)
"""Derive the ``float`` polynomials of the device library: ``python fit_float.py > coefficients_float.h``.

A development tool, run by hand (it needs mpmath and numpy); its output is committed. Each polynomial is the
best one in the weighted maximum norm (Lawson's iteration), found again after each coefficient, lowest power
first, has been rounded to ``float``, so that the higher ones make up for the rounding.
"""

import math
from dataclasses import dataclass

import mpmath as mp
from fit import Function, erfcx_scaled, stirling

mp.mp.dps = 50
NODES = 300


@dataclass(frozen=True)
class Fit:
    """One polynomial: ``count`` coefficients that fit ``function``; an error counts ``weight`` times."""

    name: str
    meaning: str
    function: Function
    low: float
    high: float
    count: int
    weight: Function = lambda x: mp.mpf(1)
    wide: bool = False  # the constant term in two parts, as NAME_first


def tail(function: Function, known: list[mp.mpf], step: int, first: int, at_zero: mp.mpf) -> Function:
    """(function(x) - known[0] - known[1] x^step …) / x^first as a function of x^step."""

    def rest(z: mp.mpf) -> mp.mpf:
        if abs(z) < mp.mpf(10) ** -12:
            return at_zero
        with mp.workdps(100):
            x = z if step == 1 else mp.sqrt(z)
            return (function(x) - mp.fsum(c * x**power for power, c in enumerate(known))) / x**first

    return rest


def erfinv_by_log(w: mp.mpf) -> mp.mpf:
    """erfinv(x)/x at w = -log(1 - x*x)."""
    if w < mp.mpf(10) ** -12:
        return mp.sqrt(mp.pi) / 2
    with mp.workdps(60):
        x = mp.sqrt(-mp.expm1(-w))
        small = mp.exp(-w) / (1 + x)  # 1 - x
        y = mp.erfinv(x) if w < 6 else mp.sqrt(w) - mp.log(2 + mp.sqrt(w)) / 4
        for _ in range(30):
            step = (mp.erfc(y) - small) / (-2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
            y -= step / (1 + y * step)
            if abs(step) < mp.mpf(10) ** -40:
                break
        return y / x


def lgamma_over_zeros(u: mp.mpf) -> mp.mpf:
    """lgamma(1 + u)/(u (u - 1)): its zeros at 1 and 2 divided out."""
    if abs(u) < mp.mpf(10) ** -12:
        return mp.euler
    if abs(u - 1) < mp.mpf(10) ** -12:
        return 1 - mp.euler
    return mp.loggamma(1 + u) / (u * (u - 1))


LN2 = float(mp.log(2))
EIGHTH = float((mp.pi / 4) ** 2) * 1.02
ONE, HALF = mp.mpf(1), mp.mpf(1) / 2


def over_tail(function: Function) -> Function:
    """x/function(x) times z = x^2: the weight of (function(x) - x)/x^3 where function(x) is not nearly x."""
    return lambda z: z * mp.sqrt(z) / function(mp.sqrt(z)) if z > 0 else z


def inverse(function: Function) -> Function:
    """The weight that makes an error relative."""
    return lambda x: 1 / function(x)


def by_root(centre: int) -> Function:
    """erfinv(x)/x at s = sqrt(-log(1 - x^2)) - centre."""
    return lambda s: erfinv_by_log((s + centre) ** 2)


def by_log(w: mp.mpf) -> mp.mpf:
    """erfinv(x)/x at w + 3 = -log(1 - x^2)."""
    return erfinv_by_log(w + 3)


def odd(function: Function, third: mp.mpf) -> Function:
    """(function(x) - x)/x^3 at z = x^2."""
    return tail(function, [0, ONE], 2, 3, third)


TABLE = [
    Fit("exp_tail", "(exp r - 1 - r)/r^2, |r| <= ln2/2",
        tail(mp.exp, [ONE, ONE], 1, 2, HALF), -LN2 / 2 - 1e-3, LN2 / 2 + 1e-3, 5,
        lambda r: r * r * mp.exp(-r)),
    Fit("log_tail", "(log(1 + f) - f + f^2/2)/f^3, |f| <= 1/3",
        tail(lambda f: mp.log(1 + f), [0, ONE, -HALF], 1, 3, ONE / 3), -1 / 3, 1 / 3, 8,
        lambda f: f**3 / mp.log(1 + f) if abs(f) > 1e-9 else f * f),
    Fit("log_atanh", "(2 atanh(q/2) - q - q^3/12)/q^5, z = q^2, |q| <= 0.3432",
        tail(lambda q: 2 * mp.atanh(q / 2), [0, ONE, 0, ONE / 12], 2, 5, ONE / 80), 0, 0.1178, 3,
        lambda z: z * z),
    Fit("sin_tail", "(sin r - r)/r^3, z = r^2, |r| <= pi/4",
        odd(mp.sin, -ONE / 6), 0, EIGHTH, 3, lambda z: z),
    Fit("cos_tail", "(cos r - 1 + r^2/2)/r^4, z = r^2",
        tail(mp.cos, [ONE, 0, -HALF], 2, 4, ONE / 24), 0, EIGHTH, 3, lambda z: z * z),
    Fit("tan_tail", "(tan r - r)/r^3, z = r^2", odd(mp.tan, ONE / 3), 0, EIGHTH, 7, over_tail(mp.tan)),
    Fit("sinh_tail", "(sinh x - x)/x^3, z = x^2, |x| <= 1", odd(mp.sinh, ONE / 6), 0, 1, 4, lambda z: z),
    Fit("tanh_tail", "(tanh x - x)/x^3, z = x^2, |x| <= 0.55",
        odd(mp.tanh, -ONE / 3), 0, 0.3025, 5, lambda z: z),
    Fit("asin_tail", "(asin x - x)/x^3, z = x^2, |x| <= 1/2", odd(mp.asin, ONE / 6), 0, 0.25, 5, lambda z: z),
    Fit("atan_tail", "(atan x - x)/x^3, z = x^2, |x| <= 1",
        odd(mp.atan, -ONE / 3), 0, 1, 9, over_tail(mp.atan)),
    Fit("asinh_tail", "(asinh x - x)/x^3, z = x^2, |x| <= 1/2",
        odd(mp.asinh, -ONE / 6), 0, 0.25, 6, lambda z: z),
    Fit("atanh_tail", "(atanh x - x)/x^3, z = x^2, |x| <= 1/2",
        odd(mp.atanh, ONE / 3), 0, 0.25, 7, lambda z: z),
    Fit("erf_centre", "erf(x)/x - 1, z = x^2, |x| <= 0.93",
        tail(lambda x: mp.erf(x) - x, [], 2, 1, 2 / mp.sqrt(mp.pi) - 1), 0, 0.865, 7),
    Fit("erf_tail", "-log(erfc x)/x, 0.92 <= x <= 4",
        lambda x: -mp.log(mp.erfc(x)) / x, 0.92, 4.0, 8, lambda x: x * mp.erfc(x) / mp.erf(x)),
    Fit("erfcx_whole", "(1 + 2x) exp(x^2) erfc(x), t = (x - 4)/(x + 4)", erfcx_scaled, -1, 1, 13, wide=True),
    Fit("inverse_erf_near", "erfinv(x)/x, w = -log(1 - x^2) - 3",
        by_log, -3, 3.05, 12, inverse(by_log), wide=True),
    Fit("inverse_erf_far", "erfinv(x)/x, s = sqrt(-log(1 - x^2)) - 3",
        by_root(3), -0.56, 1.2, 10, inverse(by_root(3)), wide=True),
    Fit("inverse_erfc_far", "erfcinv(c), s = sqrt(-log(c (2 - c))) - 7",
        by_root(7), -3, 3.3, 11, inverse(by_root(7)), wide=True),
    Fit("stirling_float", "Stirling's series times x, z = 1/x^2, x >= 4", stirling, 0, 1 / 16, 4),
    Fit("lgamma_float", "lgamma(1 + u)/(u (u - 1)), v = u - 1/2",
        lambda v: lgamma_over_zeros(v + HALF), -0.5, 0.5, 12, wide=True),
    Fit("gamma_float", "1/gamma(1 + u), v = u - 1/2",
        lambda v: mp.rgamma(v + 3 * HALF), -0.5, 0.5, 10, wide=True),
]  # fmt: skip


def best(nodes, values, weights, first: int, count: int):
    """Coefficients of x^first … x^(first + count - 1) with the least weighted maximum error."""
    import numpy as np

    powers = nodes[:, None] ** np.arange(first, first + count)[None, :]
    lawson = np.ones(len(nodes))
    answer, least = None, np.inf
    for _ in range(150):
        scale = (np.sqrt(lawson) * weights)[:, None]
        columns = np.linalg.norm(powers * scale, axis=0)
        solution = np.linalg.lstsq(powers * scale / columns, values * scale[:, 0], rcond=None)[0] / columns
        error = np.abs((powers @ solution - values) * weights)
        if error.max() < least:
            least, answer = error.max(), solution
        lawson = lawson * (error / error.max() + 1e-4)
        lawson /= lawson.sum()
    return answer


def solve(fit: Fit) -> tuple[list[float], float, float]:
    """The rounded coefficients, what the first lacks (0 unless `wide`), and the largest weighted error."""
    import numpy as np

    angles = (np.arange(NODES) + 0.5) * np.pi / NODES
    nodes = (fit.high + fit.low) / 2 + (fit.high - fit.low) / 2 * np.cos(angles)
    points = [mp.mpf(float(x)) for x in nodes]
    values = np.array([float(fit.function(x)) for x in points])
    weights = np.array([float(abs(fit.weight(x))) for x in points])
    rest, chosen, lacking = values.copy(), [], 0.0
    for power in range(fit.count):
        solution = best(nodes, rest, weights, power, fit.count - power)
        chosen.append(float(np.float32(solution[0])))
        rest = rest - chosen[-1] * nodes**power
        if fit.wide and power == 0:
            lacking = float(np.float32(solution[0] - chosen[0]))
            rest = rest - lacking
    return chosen, lacking, float(np.abs(rest * weights).max())


def main() -> None:
    """Print the header."""
    print(
        "// Generated by fit_float.py; coefficients lowest power first, with the weighted error that is left."
    )
    print("#ifndef ANYHIP_DEVICELIB_COEFFICIENTS_FLOAT_H\n#define ANYHIP_DEVICELIB_COEFFICIENTS_FLOAT_H\n")
    print("namespace anyhip_coefficients {")
    for fit in TABLE:
        coefficients, lacking, error = solve(fit)
        print(f"\n// {fit.meaning}; error 2^{math.log2(error):.1f}")
        if fit.wide:
            print(f"constexpr float {fit.name}_first[] = {{{coefficients.pop(0).hex()}f, {lacking.hex()}f}};")
        print(f"ANYHIP_TABLE float {fit.name}[] = {{")
        for c in coefficients:
            print(f"    {c.hex()}f,")
        print("};")
    print("\n}  // namespace anyhip_coefficients\n\n#endif")


if __name__ == "__main__":
    main()
