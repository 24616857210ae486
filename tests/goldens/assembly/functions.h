/* For the goldens that the preprocessor reads. */
#if !defined(__ASSEMBLER__)
#error for assembly alone
#endif
#define FUNCTION(name) .globl name; .type name, %function; name
#if defined(__x86_64__)
#define STEP(reg) imulq %rdx, reg; addq $1, reg
#elif defined(__aarch64__)
#define STEP(reg) mul reg, reg, x2; add reg, reg, #1
#endif
