// mca: cpu=skylake
//  | target:   (); no model
// What the compiler says, where it says it.
int twice(int value) {
  int twice = valeu * 2;
//  | finding 15-25: error compile-error: use of undeclared identifier 'valeu'
  return twice
//  | finding 15-15: error compile-error: expected ';' after return statement
}
