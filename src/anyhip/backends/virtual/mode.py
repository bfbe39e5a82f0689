"""The MODE register's fields that change what floating-point instructions compute.

In: the register's bits, and the generation that reads them. Out: rounding, flushing of denormals and rules
for NaN by type. Facts: CDNA3 and RDNA3 ISA guides, "Mode register"; RDNA4 ISA guide, "Mode register" (no
DX10_CLAMP and IEEE: clamping NaN gives 0, a number wins over any NaN); LLVM AMDGPUUsage, "compute_pgm_rsrc1".
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "DENORM_FIELD",
    "DOWN",
    "EXCEPTIONS",
    "MODE_REGISTER",
    "NEAREST",
    "ROUND_FIELD",
    "TOWARD_ZERO",
    "UP",
    "Mode",
    "initial",
]

MODE_REGISTER = 1  # its number for s_getreg and s_setreg
NEAREST, UP, DOWN, TOWARD_ZERO = range(4)  # FP_ROUND
ROUND_FIELD, DENORM_FIELD = 0xF, 0xF0
_DX10_CLAMP, _IEEE, _FP16_OVFL = 1 << 8, 1 << 9, 1 << 23
EXCEPTIONS = 0x7F << 12  # EXCP_EN
_SINGLE = "float"  # the type of the fields' lower two bits; half and double have the upper two
_NUMBERS_WIN = {"gfx1201"}  # generations without DX10_CLAMP and IEEE
_FIRST_NAN = {"gfx1100", "gfx1201"}  # of two quiet NaNs minima give the first; before, the second


@dataclass(frozen=True, slots=True)
class Mode:
    """One setting of the fields.

    Attributes:
        bits: as in the register: FP_ROUND 3:0, FP_DENORM 7:4, DX10_CLAMP 8, IEEE 9, FP16_OVFL 23; the others
            are 0.
        generation: whose rules hold.
    """

    bits: int = _DX10_CLAMP | _IEEE | DENORM_FIELD
    generation: str = "gfx942"

    @staticmethod
    def used(generation: str) -> int:
        """The register's bits that change results."""
        both = ROUND_FIELD | DENORM_FIELD | _FP16_OVFL
        return both if generation in _NUMBERS_WIN else both | _DX10_CLAMP | _IEEE

    @classmethod
    def default(cls, generation: str) -> Mode:
        """HIP's: to nearest even, denormals kept, DX10_CLAMP and IEEE set where there are."""
        return cls.of(_DX10_CLAMP | _IEEE | DENORM_FIELD, generation)

    @classmethod
    def of(cls, register: int, generation: str) -> Mode:
        """The fields of a whole register."""
        return cls(register & cls.used(generation), generation)

    def assigned(self, mask: int, value: int) -> Mode:
        """The mode after the register's bits in ``mask`` became those of ``value``."""
        return Mode.of(self.bits & ~mask | value & mask, self.generation)

    @property
    def plain(self) -> bool:
        """Arithmetic is the host's: to nearest even, denormals kept, overflow to infinity."""
        return self.bits & (ROUND_FIELD | DENORM_FIELD | _FP16_OVFL) == DENORM_FIELD

    @property
    def ieee(self) -> bool:
        """A signalling NaN wins over a number in minima and maxima, made quiet."""
        return bool(self.bits & _IEEE)

    @property
    def clamps_nan(self) -> bool:
        """CLAMP makes 0 of NaN."""
        return self.numbers_win or bool(self.bits & _DX10_CLAMP)

    @property
    def numbers_win(self) -> bool:
        """A number wins over any NaN in minima and maxima, and of two NaNs the result is quiet."""
        return self.generation in _NUMBERS_WIN

    @property
    def first_nan(self) -> bool:
        """Of two quiet NaNs a minimum or maximum is the first."""
        return self.generation in _FIRST_NAN

    @property
    def half_saturates(self) -> bool:
        """FP16_OVFL: a half that overflows becomes the largest finite one."""
        return bool(self.bits & _FP16_OVFL)

    def rounding(self, type: str) -> int:
        """NEAREST, UP, DOWN or TOWARD_ZERO for results of an element type; bfloat has no field."""
        if type == "bfloat":
            return NEAREST
        return self.bits >> (0 if type == _SINGLE else 2) & 3

    def keeps_inputs(self, type: str) -> bool:
        """Denormal sources of an element type count as they are, not as zeros."""
        return type == "bfloat" or bool(self.bits >> (4 if type == _SINGLE else 6) & 1)

    def keeps_outputs(self, type: str) -> bool:
        """Denormal results of an element type are given, not zeros."""
        return type == "bfloat" or bool(self.bits >> (5 if type == _SINGLE else 7) & 1)

    def scales_outputs(self, type: str) -> bool:
        """OMOD has an effect: not with IEEE or denormal results, on gfx12 always; bfloat never has it."""
        allowed = self.numbers_win or not (self.ieee or self.keeps_outputs(type))
        return allowed and type != "bfloat"


def initial(rsrc1: int, generation: str) -> int:
    """The register that a kernel starts with, from COMPUTE_PGM_RSRC1."""
    register = rsrc1 >> 12 & 0xFF | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9 | (rsrc1 >> 26 & 1) << 23
    return register & Mode.used(generation)
