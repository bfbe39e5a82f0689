int main()
{
    cudaFree(0); // éÿ
    asm volatile("mov.u32 %0, %laneid;" : "=r"(x));
    asm("cpuid");
}
