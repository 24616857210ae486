// mca: cpu=skylake
// Budgets in C++: the marked lines become code of two functions, and the worse one is told.
template <int Step>
void scale(float *values, int count) {
  // LLVM-MCA-BEGIN body
  // mca: cycles<=1.5 ipc>=0.5
  values[count] = values[count] / Step;
  values[count + 1] = values[count] / (Step + 1);
  // LLVM-MCA-END body
}

template void scale<3>(float *, int);
template void scale<4>(float *, int);
