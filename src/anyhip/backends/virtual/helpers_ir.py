"""IR functions that every translated module carries: gathers and scatters of lanes that follow no pattern."""

from __future__ import annotations

from anyhip.backends.virtual.llvm_builder import CHUNK

__all__ = ["HELPERS"]

_GATHER = """define internal <{n} x i{bits}> @gather{bits}(<{n} x ptr> %p, <{n} x i1> %m) #1 {{
entry:
  %ps = alloca <{n} x ptr>, align 64
  %vs = alloca <{n} x i{bits}>, align 64
  store <{n} x ptr> %p, ptr %ps, align 64
  store <{n} x i{bits}> zeroinitializer, ptr %vs, align 64
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
  %from = load ptr, ptr %pp, align 8
  %value = load i{bits}, ptr %from, align 1
  %vp = getelementptr i{bits}, ptr %vs, i64 %index
  store i{bits} %value, ptr %vp, align 1
  %less = sub i{n} %left, 1
  %rest = and i{n} %left, %less
  br label %head
done:
  %out = load <{n} x i{bits}>, ptr %vs, align 64
  ret <{n} x i{bits}> %out
}}
"""
_SCATTER = """define internal void @scatter{bits}(<{n} x i{bits}> %v, <{n} x ptr> %p, <{n} x i1> %m) #1 {{
entry:
  %ps = alloca <{n} x ptr>, align 64
  %vs = alloca <{n} x i{bits}>, align 64
  store <{n} x ptr> %p, ptr %ps, align 64
  store <{n} x i{bits}> %v, ptr %vs, align 64
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
  %to = load ptr, ptr %pp, align 8
  %vp = getelementptr i{bits}, ptr %vs, i64 %index
  %value = load i{bits}, ptr %vp, align 1
  store i{bits} %value, ptr %to, align 1
  %less = sub i{n} %left, 1
  %rest = and i{n} %left, %less
  br label %head
done:
  ret void
}}
"""

HELPERS = "\n".join(
    [
        f"declare i{CHUNK} @llvm.cttz.i{CHUNK}(i{CHUNK}, i1)",
        *(_GATHER.format(n=CHUNK, bits=bits) for bits in (8, 16)),
        *(_SCATTER.format(n=CHUNK, bits=bits) for bits in (8, 16, 32)),
    ]
)
