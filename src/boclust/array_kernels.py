"""Arrays copied element by element: ``target[:] = source`` takes Numba seconds to compile.

Most of that is the message about shapes that do not fit; those of kernels always do.
"""

from boclust._jit import step_kernel
from boclust._validate import FloatArray, IntArray


@step_kernel
def copy_vector(target: FloatArray | IntArray, source: FloatArray | IntArray) -> None:
    """``target[:] = source``."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@step_kernel
def copy_matrix(target: FloatArray | IntArray, source: FloatArray | IntArray) -> None:
    """The same with two axes."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]
