// AMDGPU: LLVM's AMDGPUUsage and clang's builtins. Implicit kernel arguments have the layout of code object
// version 5 (AMDGPUUsage, "Code Object V5 Kernel Argument Metadata").
#ifndef ANYHIP_DETAIL_TARGET_AMDGCN_H
#define ANYHIP_DETAIL_TARGET_AMDGCN_H

namespace __anyhip {

typedef const __attribute__((address_space(4))) u32* implicit_words;

__ANYHIP_DEVICE__ u32 thread_index_x() { return __builtin_amdgcn_workitem_id_x(); }
__ANYHIP_DEVICE__ u32 thread_index_y() { return __builtin_amdgcn_workitem_id_y(); }
__ANYHIP_DEVICE__ u32 thread_index_z() { return __builtin_amdgcn_workitem_id_z(); }
__ANYHIP_DEVICE__ u32 block_index_x() { return __builtin_amdgcn_workgroup_id_x(); }
__ANYHIP_DEVICE__ u32 block_index_y() { return __builtin_amdgcn_workgroup_id_y(); }
__ANYHIP_DEVICE__ u32 block_index_z() { return __builtin_amdgcn_workgroup_id_z(); }
__ANYHIP_DEVICE__ u32 block_size_x() { return __builtin_amdgcn_workgroup_size_x(); }
__ANYHIP_DEVICE__ u32 block_size_y() { return __builtin_amdgcn_workgroup_size_y(); }
__ANYHIP_DEVICE__ u32 block_size_z() { return __builtin_amdgcn_workgroup_size_z(); }

// hidden_block_count_x/y/z are the first three words; HIP launches only whole blocks.
__ANYHIP_DEVICE__ u32 grid_blocks_x() { return ((implicit_words)__builtin_amdgcn_implicitarg_ptr())[0]; }
__ANYHIP_DEVICE__ u32 grid_blocks_y() { return ((implicit_words)__builtin_amdgcn_implicitarg_ptr())[1]; }
__ANYHIP_DEVICE__ u32 grid_blocks_z() { return ((implicit_words)__builtin_amdgcn_implicitarg_ptr())[2]; }

// hidden_dynamic_lds_size, byte 120.
__ANYHIP_DEVICE__ u32 dynamic_shared_bytes() {
  return ((implicit_words)__builtin_amdgcn_implicitarg_ptr())[30];
}

__ANYHIP_DEVICE__ int wave_size() { return (int)__builtin_amdgcn_wavefrontsize(); }
__ANYHIP_DEVICE__ u32 lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }

__ANYHIP_DEVICE__ void fence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__ANYHIP_DEVICE__ void fence_device() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__ANYHIP_DEVICE__ void fence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

__ANYHIP_DEVICE__ void block_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// The lanes of a wave run together; what must be ordered is only what the compiler may move.
__ANYHIP_DEVICE__ void wave_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

// The 64-bit form serves wave32 as well: the upper half is zero.
__ANYHIP_DEVICE__ u64 ballot(bool predicate) { return __builtin_amdgcn_ballot_w64(predicate); }

// Lane numbers are taken modulo the wave size by the hardware (byte address of the lane's slot).
__ANYHIP_DEVICE__ u32 read_lane(u32 value, u32 lane) {
  return (u32)__builtin_amdgcn_ds_bpermute((int)(lane << 2), (int)value);
}
__ANYHIP_DEVICE__ u32 read_first_lane(u32 value) { return (u32)__builtin_amdgcn_readfirstlane((int)value); }

__ANYHIP_DEVICE__ u64 clock() { return __builtin_readcyclecounter(); }
__ANYHIP_DEVICE__ u64 wall_clock() { return __builtin_readsteadycounter(); }

// s_sleep takes an immediate in units of 64 clocks, some 30 ns at 2 GHz.
__ANYHIP_DEVICE__ void sleep(u32 nanoseconds) {
  for (u32 slept = 0; slept < nanoseconds; slept += 32) __builtin_amdgcn_s_sleep(1);
}

__ANYHIP_DEVICE__ __attribute__((noreturn)) void trap() { __builtin_trap(); }
__ANYHIP_DEVICE__ void debug_trap() { __builtin_debugtrap(); }

__ANYHIP_DEVICE__ u32 atomic_inc_wrap(u32* address, u32 limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}
__ANYHIP_DEVICE__ u32 atomic_dec_wrap(u32* address, u32 limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}

// One machine instruction each; v_sin and v_cos count in turns.
__ANYHIP_DEVICE__ float fast_exp2(float x) { return __builtin_amdgcn_exp2f(x); }
__ANYHIP_DEVICE__ float fast_log2(float x) { return __builtin_amdgcn_logf(x); }
// Of the turns only what is beyond whole ones, rounded once: v_fract would lose a bit of negative angles.
__ANYHIP_DEVICE__ float part_of_turn(float x) {
  return __builtin_fmaf(x, 0x1.45f306p-3f, -__builtin_rintf(x * 0x1.45f306p-3f));
}
__ANYHIP_DEVICE__ float fast_sin(float x) { return __builtin_amdgcn_sinf(part_of_turn(x)); }
__ANYHIP_DEVICE__ float fast_cos(float x) { return __builtin_amdgcn_cosf(part_of_turn(x)); }
__ANYHIP_DEVICE__ float fast_rcp(float x) { return __builtin_amdgcn_rcpf(x); }
__ANYHIP_DEVICE__ float fast_rsqrt(float x) { return __builtin_amdgcn_rsqf(x); }
__ANYHIP_DEVICE__ float fast_sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }

__ANYHIP_DEVICE__ bool is_shared(const void* pointer) {
  return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)pointer);
}
__ANYHIP_DEVICE__ bool is_private(const void* pointer) {
  return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)pointer);
}

}  // namespace __anyhip

#endif
