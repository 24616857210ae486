// The same particles with an array for each field.
struct Particles {
  float *x, *y, *z;
  float *mass;
  int count;
};

float massOf(const struct Particles *particles) {
  float mass = 0;
  for (int i = 0; i < particles->count; ++i) // hint
    mass += particles->mass[i];
  return mass;
}

void shift(struct Particles *particles, float dx, float dy, float dz) {
  float *restrict x = particles->x, *restrict y = particles->y, *restrict z = particles->z;
  for (int i = 0; i < particles->count; ++i) { // hint
    x[i] += dx;
    y[i] += dy;
    z[i] += dz;
  }
}
