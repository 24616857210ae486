#include <OGRE/Ogre.h>
#include <OGRE/OgreImage.h>
float highest(const float *heights, int n) {
  float most = heights[0];
  for (int i = 1; i < n; ++i)
    most = heights[i] > most ? heights[i] : most;
  return most;
}
