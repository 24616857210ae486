// mca: triple=aarch64-unknown-linux-gnu cpu=neoverse-n1
// The target of the settings is the preprocessor's, too.
#include "functions.h"

FUNCTION(product):
.Lproduct:
	STEP(x0)
	subs	x1, x1, #1
	b.ne	.Lproduct
	ret
