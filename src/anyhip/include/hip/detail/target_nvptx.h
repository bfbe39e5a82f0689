// NVPTX: PTX ISA 8 through clang's __nvvm builtins, sm_70 and later (every lane operation is a .sync one).
#ifndef ANYHIP_DETAIL_TARGET_NVPTX_H
#define ANYHIP_DETAIL_TARGET_NVPTX_H

namespace __anyhip {

__ANYHIP_DEVICE__ u32 thread_index_x() { return __nvvm_read_ptx_sreg_tid_x(); }
__ANYHIP_DEVICE__ u32 thread_index_y() { return __nvvm_read_ptx_sreg_tid_y(); }
__ANYHIP_DEVICE__ u32 thread_index_z() { return __nvvm_read_ptx_sreg_tid_z(); }
__ANYHIP_DEVICE__ u32 block_index_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__ANYHIP_DEVICE__ u32 block_index_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
__ANYHIP_DEVICE__ u32 block_index_z() { return __nvvm_read_ptx_sreg_ctaid_z(); }
__ANYHIP_DEVICE__ u32 block_size_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
__ANYHIP_DEVICE__ u32 block_size_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
__ANYHIP_DEVICE__ u32 block_size_z() { return __nvvm_read_ptx_sreg_ntid_z(); }
__ANYHIP_DEVICE__ u32 grid_blocks_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
__ANYHIP_DEVICE__ u32 grid_blocks_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }
__ANYHIP_DEVICE__ u32 grid_blocks_z() { return __nvvm_read_ptx_sreg_nctaid_z(); }

__ANYHIP_DEVICE__ u32 dynamic_shared_bytes() {
  u32 bytes;
  __asm__("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

__ANYHIP_DEVICE__ int wave_size() { return 32; }
__ANYHIP_DEVICE__ u32 lane_id() { return __nvvm_read_ptx_sreg_laneid(); }

__ANYHIP_DEVICE__ void fence_block() { __nvvm_membar_cta(); }
__ANYHIP_DEVICE__ void fence_device() { __nvvm_membar_gl(); }
__ANYHIP_DEVICE__ void fence_system() { __nvvm_membar_sys(); }
__ANYHIP_DEVICE__ void block_barrier() { __nvvm_barrier_sync(0); }
__ANYHIP_DEVICE__ void wave_barrier() { __nvvm_bar_warp_sync(__nvvm_activemask()); }

__ANYHIP_DEVICE__ u64 ballot(bool predicate) {
  return __nvvm_vote_ballot_sync(__nvvm_activemask(), predicate);
}
__ANYHIP_DEVICE__ u32 read_lane(u32 value, u32 lane) {
  return (u32)__nvvm_shfl_sync_idx_i32(__nvvm_activemask(), (int)value, (int)lane, 31);
}
__ANYHIP_DEVICE__ u32 read_first_lane(u32 value) {
  return read_lane(value, (u32)__builtin_ctz(__nvvm_activemask()));
}

__ANYHIP_DEVICE__ u64 clock() { return (u64)__nvvm_read_ptx_sreg_clock64(); }
__ANYHIP_DEVICE__ u64 wall_clock() { return (u64)__nvvm_read_ptx_sreg_globaltimer(); }
__ANYHIP_DEVICE__ void sleep(u32 nanoseconds) { __nvvm_nanosleep((int)nanoseconds); }

__ANYHIP_DEVICE__ __attribute__((noreturn)) void trap() { __builtin_trap(); }
__ANYHIP_DEVICE__ void debug_trap() { __asm__ volatile("brkpt;"); }

__ANYHIP_DEVICE__ u32 atomic_inc_wrap(u32* address, u32 limit) { return __nvvm_atom_inc_gen_ui(address, limit); }
__ANYHIP_DEVICE__ u32 atomic_dec_wrap(u32* address, u32 limit) { return __nvvm_atom_dec_gen_ui(address, limit); }

__ANYHIP_DEVICE__ float fast_exp2(float x) { return __nvvm_ex2_approx_f(x); }
__ANYHIP_DEVICE__ float fast_log2(float x) { return __nvvm_lg2_approx_f(x); }
__ANYHIP_DEVICE__ float fast_sin(float x) { return __nvvm_sin_approx_f(x); }
__ANYHIP_DEVICE__ float fast_cos(float x) { return __nvvm_cos_approx_f(x); }
__ANYHIP_DEVICE__ float fast_rcp(float x) { return __nvvm_rcp_approx_ftz_f(x); }
__ANYHIP_DEVICE__ float fast_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
__ANYHIP_DEVICE__ float fast_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }

__ANYHIP_DEVICE__ bool is_shared(const void* pointer) { return __nvvm_isspacep_shared(pointer); }
__ANYHIP_DEVICE__ bool is_private(const void* pointer) { return __nvvm_isspacep_local(pointer); }

}  // namespace __anyhip

#endif
