"""IR functions that every translated module carries: gathers and scatters of lanes that follow no pattern."""

from __future__ import annotations

from anyhip.backends.virtual.llvm_builder import CHUNK

__all__ = ["HELPERS"]

# Copies an element from %{source} to %{target} for every lane of the mask, the lowest first.
_EACH_LANE = """entry:
  %ps = alloca <{n} x ptr>, align 64
  %vs = alloca <{n} x i{bits}>, align 64
  store <{n} x ptr> %p, ptr %ps, align 64
  store <{n} x i{bits}> {start}, ptr %vs, align 64
  %bits = bitcast <{n} x i1> %m to i{n}
  br label %head
head:
  %left = phi i{n} [ %bits, %entry ], [ %rest, %each ]
  %none = icmp eq i{n} %left, 0
  br i1 %none, label %done, label %each
each:
  %lane = call i{n} @llvm.cttz.i{n}(i{n} %left, i1 true)
  %index = zext i{n} %lane to i64
  %pp = getelementptr ptr, ptr %ps, i64 %index
  %memory = load ptr, ptr %pp, align 8
  %element = getelementptr i{bits}, ptr %vs, i64 %index
  %value = load i{bits}, ptr %{source}, align 1
  store i{bits} %value, ptr %{target}, align 1
  %less = sub i{n} %left, 1
  %rest = and i{n} %left, %less
  br label %head
done:
"""


def _gather(bits: int) -> str:
    vector = f"<{CHUNK} x i{bits}>"
    loop = _EACH_LANE.format(n=CHUNK, bits=bits, start="zeroinitializer", source="memory", target="element")
    return (
        f"define internal {vector} @gather{bits}(<{CHUNK} x ptr> %p, <{CHUNK} x i1> %m) #1 {{\n{loop}"
        f"  %out = load {vector}, ptr %vs, align 64\n  ret {vector} %out\n}}\n"
    )


def _scatter(bits: int) -> str:
    parameters = f"<{CHUNK} x i{bits}> %v, <{CHUNK} x ptr> %p, <{CHUNK} x i1> %m"
    loop = _EACH_LANE.format(n=CHUNK, bits=bits, start="%v", source="element", target="memory")
    return f"define internal void @scatter{bits}({parameters}) #1 {{\n{loop}  ret void\n}}\n"


HELPERS = "\n".join(
    [
        *map(_gather, (8, 16)),
        *map(_scatter, (8, 16, 32)),
    ]
)
