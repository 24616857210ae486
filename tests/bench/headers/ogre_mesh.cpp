#include <OGRE/OgreHardwareBufferManager.h>
#include <OGRE/OgreMesh.h>
#include <OGRE/OgreSubMesh.h>
void translate(float *vertices, int stride, int n, float by) {
  for (int i = 0; i < n; ++i)
    vertices[i * stride] += by;
}
