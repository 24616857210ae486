// The user's wish to end early: Ctrl-C, or SIGTERM from an editor.
#pragma once

namespace mca::measure {

/// From now on an interrupt is noticed by isInterrupted() only. A second one ends the program.
void catchInterrupt();
bool isInterrupted();

} // namespace mca::measure
