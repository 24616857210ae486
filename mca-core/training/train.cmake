# Trains the compiler: runs an instrumented mca on the functions of kernels.c, as several CPUs' compilers make them, and
# merges the counts of what it did into a profile for clang's -fprofile-use.
#
#   cmake -DMCA=PROGRAM -DCLANG=PROGRAM -DPROFDATA=PROGRAM -DPROFILE=FILE -P train.cmake
#
# The same profile comes of the same sources: addresses that change from run to run, and with them the places in hash
# tables, are switched off where the system allows that.
set(work ${PROFILE}.work)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(fixed setarch -R)
execute_process(COMMAND ${fixed} true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
if(refused)
  set(fixed)
endif()

# A CPU, its target, and what to compile with for it.
set(cpus
  "btver2 x86_64-linux-gnu -march=btver2"
  "skylake x86_64-linux-gnu -march=skylake"
  "znver4 x86_64-linux-gnu -march=znver4"
  "alderlake x86_64-linux-gnu -march=alderlake -calibration=documented"
  "znver3 x86_64-linux-gnu -march=znver3 -calibration=shipped"
  "neoverse-v2 aarch64-linux-gnu -mcpu=neoverse-v2"
  "cortex-a55 aarch64-linux-gnu -mcpu=cortex-a55"
  "sifive-u74 riscv64-linux-gnu -march=rv64gc")
foreach(row IN LISTS cpus)
  string(REPLACE " " ";" row "${row}")
  list(POP_FRONT row cpu target flag)
  foreach(level O0 O1 O2 O3)
    set(assembly ${work}/${cpu}-${level}.s)
    execute_process(COMMAND ${CLANG} -x c -S -${level} --target=${target} ${flag} -ffreestanding
      -fasynchronous-unwind-tables -o ${assembly} ${CMAKE_CURRENT_LIST_DIR}/kernels.c COMMAND_ERROR_IS_FATAL ANY)
    # Each function is a region.
    file(READ ${assembly} text)
    set(comment "#")
    if(target MATCHES "^aarch64")
      set(comment "//")
    endif()
    string(REPLACE "\t.cfi_startproc" "\t.cfi_startproc\n${comment} LLVM-MCA-BEGIN" text "${text}")
    string(REPLACE "\t.cfi_endproc" "${comment} LLVM-MCA-END\n\t.cfi_endproc" text "${text}")
    file(WRITE ${assembly} "${text}")
    set(runs -iterations=1 -iterations=100 -timeline)
    if(NOT row)
      list(APPEND runs -all-views) # a calibrated machine lacks some
    endif()
    foreach(option IN LISTS runs)
      execute_process(COMMAND ${CMAKE_COMMAND} -E env LLVM_PROFILE_FILE=${work}/${cpu}-${level}${option}.profraw ${fixed}
        ${MCA} -mtriple=${target} -mcpu=${cpu} ${row} ${option} -o /dev/null ${assembly}
        ERROR_VARIABLE errors COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
  endforeach()
endforeach()

file(GLOB counts ${work}/*.profraw)
list(SORT counts)
execute_process(COMMAND ${PROFDATA} merge -o ${PROFILE} ${counts} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${work})
