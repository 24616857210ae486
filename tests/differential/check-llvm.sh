#!/usr/bin/env bash
#:   check-llvm VERSION   try another LLVM, such as 23: build with it in build/llvm-VERSION and report what fails to
#:                        compile, what is tied to the present one, and what its llvm-mca does otherwise
#:                        (docs/llvm-upgrade.md)
. "$(dirname "$0")/../../.dev/common.sh"

other=${1:-}
[[ $other =~ ^[0-9]+$ ]] || die "usage: ./dev check-llvm VERSION, a number such as 23"
folder=build/llvm-$other

heading() { printf '\n\033[1m%s\033[0m\n' "$*"; }

# Indents the lines of standard input; prints "none" if there are none.
listed() { sed 's/^/  /' | grep . || echo "  none"; }

# has_package NAME: whether apt could install it.
has_package() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [0-9] ]]; }

# packages_of_other PURPOSE: of the other LLVM.
packages_of_other() { llvm=$other packages_for "$1" | cut -d ' ' -f 1; }

# Installs the other LLVM, and says whether the packages of it that other commands need exist.
need_other_llvm() {
  local package
  if [ ! -d "/usr/lib/llvm-$other" ] && is_debian; then
    as_root apt-get update -qq
    for package in $(packages_of_other llvm); do
      has_package "$package" || die "apt has no $package; it has" \
        "$(apt-cache pkgnames llvm- | grep -xE 'llvm-[0-9]+-dev' | sort -V | tr '\n' ' ')"
    done
  fi
  llvm=$other need llvm
  heading "Packages that other commands need, of LLVM $other"
  for package in $(packages_of_other llvm-tools); do
    if has_package "$package"; then echo "$package: available"; else echo "$package: MISSING"; fi
  done | listed
}

# Lists what compares with the present LLVM or names it.
report_llvm_places() {
  local number="\\b$llvm\\b"
  local shown=(':!tests/goldens' ':!tests/sources/goldens' ':!docs/llvm-upgrade.md' ':!CHANGELOG.md')
  heading "Code that compares with $llvm"
  { git grep -nEi "(clang|llvm)[a-z]* *[=<>!]+ *$number" -- '*.cpp' '*.h' "${shown[@]}" || true; } | listed
  heading "Lines that name it, by file"
  git grep -cEi "(clang|llvm)[a-z+_]*([-/ ]|[- ][a-z]+[- ])$number" -- "${shown[@]}" | listed
}

# Lists the names that only one of the two LLVMs has: CPUs, and driver flags -m…. A test covers new flags -f…
# (hostile_test); a person reviews new flags -m….
report_new_names() {
  cpus_of() {
    local triple
    for triple in x86_64 aarch64 armv7 riscv64 powerpc64le s390x; do
      { "llvm-mca-$1" -mtriple="$triple" -mcpu=help </dev/null 2>&1 || true; } |
        sed -nE "s/^ +([^ ]+) +- Select the .* processor\.$/$triple \1/p"
    done | sort
  }
  flags_of() { "clang-$1" --help-hidden | sed -nE 's/^ +(-m[^ <=]+).*/\1/p' | sort -u; }
  heading "CPUs that only LLVM $other has (+), that only LLVM $llvm has (-)"
  { diff <(cpus_of "$llvm") <(cpus_of "$other") || true; } | sed -n 's/^>/+/p; s/^</-/p' | listed
  heading "Flags -m… that only clang-$other has (analysis/compile/flags.cpp lets each of them through)"
  comm -13 <(flags_of "$llvm") <(flags_of "$other") | listed
}

# Builds all that compiles, and sums up the errors.
build_with_other() {
  local log=$folder/build.log full
  full=$("/usr/lib/llvm-$other/bin/llvm-config" --version)
  say "configuring $folder with LLVM $full"
  mkdir -p "$folder"
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMCA_LLVM_VERSION="${full%.*}" \
    -DCMAKE_CXX_COMPILER="clang++-$other" -DBUILD_TESTING=ON >"$folder/configure.log" 2>&1 ||
    { tail -n 20 "$folder/configure.log" >&2; die "configuring failed"; }
  say "building $folder"
  cmake --build "$folder" -- -k 0 >"$log" 2>&1 && return
  heading "Errors of the build, with how often each occurs (all: $log)"
  sed -nE "s|^$PWD/||; /error: |undefined reference/p" "$log" | sort | uniq -c | sort -k1,1rn -k2 | head -n 60 | listed
  echo "  $(grep -c '^FAILED: ' "$log") steps failed"
  return 1
}

# Compares the CPUs of the other LLVM with the table in mca-core/target/model_origin.cpp.
report_model_owners() {
  heading "CPUs whose model's owner is new, gone or unknown (mca-core/target/model_origin.cpp)"
  cmake --build "$folder" --target model_owners_test >/dev/null 2>&1 ||
    { echo "  unknown: model_owners_test does not build"; return 1; }
  "$folder/tests/model_owners_test" --gtest_brief=1 2>&1 | grep -vE '^(Running main|\[|Failed$)|: Failure$' | listed
  return "${PIPESTATUS[0]}"
}

# Compares mca and the simulator with the other llvm-mca and its pipeline.
report_llvm_mca() {
  local status=0
  say "comparing with llvm-mca-$other"
  heading "Tests that differ from llvm-mca-$other (all: $folder/differential.log)"
  ctest --test-dir "$folder" -L differential -j "$(nproc)" --output-on-failure >"$folder/differential.log" 2>&1 || status=$?
  sed -n '/^The following tests FAILED/,/^Errors while/p' "$folder/differential.log" |
    { grep -E '^[[:space:]]+[0-9]+ - ' || true; } | listed
  return $status
}

built=1 failed=0
need build test node
need_other_llvm
report_llvm_places
report_new_names
build_with_other || built=0
report_model_owners || failed=1
if [ $built = 1 ]; then
  report_llvm_mca || failed=1
else
  failed=1
  say "the comparison with llvm-mca-$other waits for a build without errors"
fi
exit $failed
