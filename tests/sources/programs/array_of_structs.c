// One field of many, and all fields of many.
struct Particle {
  float x, y, z;
  float mass;
};

float massOf(const struct Particle *particles, int count) {
  float mass = 0;
  for (int i = 0; i < count; ++i) // hint
    mass += particles[i].mass;
  return mass;
}

void shift(struct Particle *particles, int count, float dx, float dy, float dz) {
  for (struct Particle *p = particles, *end = particles + count; p != end; ++p) { // hint
    p->x += dx;
    p->y += dy;
    p->z += dz;
  }
}
