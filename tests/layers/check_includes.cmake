# Arrows between the layers point down only: lsp -> analysis/wire, analysis -> mca-core -> LLVM. This reads every include
# of the product and fails on one that points up or past its layer.
#   cmake -DROOT=<repository> -P check_includes.cmake
set(errors "")

# check(<folder> <regex of forbidden includes> <why>)
function(check folder forbidden why)
  file(GLOB_RECURSE files ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
  if(NOT files)
    message(FATAL_ERROR "no sources in ${folder}")
  endif()
  foreach(file IN LISTS files)
    file(STRINGS ${file} includes REGEX "^#include [<\"]")
    foreach(include IN LISTS includes)
      if(include MATCHES "^#include [<\"](${forbidden})")
        file(RELATIVE_PATH name ${ROOT} ${file})
        message(SEND_ERROR "${name}: ${include}: ${why}")
      endif()
    endforeach()
  endforeach()
endfunction()

check(lsp "llvm/|llvm-c/|clang/|clang-c/|mca-core/|analysis/[^w/][^/]*/|analysis/worker/|analysis/[a-z_]+\\.h"
  "lsp/ sees nothing of analysis but analysis/wire, and no LLVM")
check(analysis "lsp/" "analysis/ knows no editor")
check(analysis/compile "nlohmann/" "only lsp/ and analysis/wire know JSON")
check(analysis/insight "nlohmann/" "only lsp/ and analysis/wire know JSON")
check(analysis/regions "nlohmann/" "only lsp/ and analysis/wire know JSON")
check(analysis/source_map "nlohmann/" "only lsp/ and analysis/wire know JSON")
check(analysis/worker "nlohmann/" "only lsp/ and analysis/wire know JSON")
check(analysis/wire "llvm/|clang/|mca-core/|analysis/[^w]" "the wire is plain structs")
check(mca-core "analysis/|lsp/|nlohmann/|clang/|boost/" "mca-core/ stands alone on LLVM")
