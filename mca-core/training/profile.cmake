# Compiles mca-core with a profile of what the simulator does.
#
# The profile is made once in a build folder: a build of mca with counters, in a folder of its own, simulates what
# train.cmake has for it. Sources that change later keep their profile as far as it fits; remove the folder `training`
# to train again.

# It has to be of the compiler's version, which need not be that of the LLVM that is linked.
file(REAL_PATH ${CMAKE_CXX_COMPILER} compiler)
cmake_path(GET compiler PARENT_PATH tools)
find_program(MCA_PROFDATA llvm-profdata HINTS ${tools} NO_DEFAULT_PATH REQUIRED)
set(folder ${CMAKE_BINARY_DIR}/training)
set(profile ${folder}/mca.profdata)

add_custom_command(OUTPUT ${profile}
  COMMAND ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${folder}/build -G ${CMAKE_GENERATOR} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
    -DMCA_LLVM_VERSION=${MCA_LLVM_VERSION} -DMCA_TRAINING=ON -DBUILD_TESTING=OFF
  COMMAND ${CMAKE_COMMAND} --build ${folder}/build --target mca
  COMMAND ${CMAKE_COMMAND} -DMCA=${folder}/build/bin/mca -DCLANG=${CMAKE_CXX_COMPILER} -DPROFDATA=${MCA_PROFDATA}
    -DPROFILE=${profile} -P ${CMAKE_CURRENT_LIST_DIR}/train.cmake
  COMMENT "Building mca with counters, and training the compiler with it" VERBATIM)
add_custom_target(mca_profile DEPENDS ${profile})
# A source that changed since the training, and code that it did not reach, are nothing to warn of.
add_compile_options(-fprofile-use=${profile} -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date
  -Wno-backend-plugin)
