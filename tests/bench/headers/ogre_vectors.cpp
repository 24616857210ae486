#include <OGRE/Ogre.h>
Ogre::Vector3 centre(const Ogre::Vector3 *points, int n) {
  Ogre::Vector3 sum(0, 0, 0);
  for (int i = 0; i < n; ++i)
    sum += points[i];
  return sum / float(n);
}
