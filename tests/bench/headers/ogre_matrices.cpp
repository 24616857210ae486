#include <OGRE/OgreMatrix4.h>
#include <OGRE/OgreSceneManager.h>
void transform(Ogre::Vector4 *points, const Ogre::Matrix4 &by, int n) {
  for (int i = 0; i < n; ++i)
    points[i] = by * points[i];
}
