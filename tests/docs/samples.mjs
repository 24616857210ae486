// The files that the pages' commands name: small sources that are analysed in a moment and meet their budgets, and programs
// in place of those that other people's machines have.
const sumOf = (type, name) => `// mca: cpu=znver4
${type} ${name}(const ${type} *values, int count) {
  ${type} sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum;
}
`;

export const project = {
  'a.cpp': sumOf('int', 'sumOfInts'),
  'b.cpp': sumOf('float', 'sumOfFloats'),
  'third_party/c.cpp': sumOf('double', 'sumOfDoubles'),
};

/** A function `name` with a branch that depends on data, and a program that calls it. */
export const kernel = (name) => ({
  [`${name}.c`]: `int ${name}(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    if (values[i] > 0)
      sum += values[i] / 3;
  return sum;
}
`,
  'main.c': `#include <stdlib.h>
int ${name}(const int *values, int count);
int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 100;
  int *values = malloc(count * sizeof *values);
  for (int i = 0; i < count; i++)
    values[i] = rand() % 3 - 1;
  return ${name}(values, count) < 0;
}
`,
});

/** GNU parallel, as far as the pages use it: `parallel COMMAND... ::: ARGUMENT...`, one after the other. */
export const parallel = `#!/usr/bin/env bash
while [ "$1" != ::: ]; do command+=("$1"); shift; done
shift
for argument; do "\${command[@]//"{}"/$argument}" || exit; done
`;
