# mca: triple=riscv32-unknown-none-elf cpu=rocket-rv32
# engine: iterations=60 retireStatistics=1 schedulerStatistics=1 registerFileStatistics=1
# What completes while the call is carried over never retires: the entries in use grow, and nothing repeats.
	sh	a7, 0(a2)
	call f
	sw a5, 4(a1)
	bgeu	a2, a1, f
