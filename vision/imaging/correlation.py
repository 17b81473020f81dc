"""Match small pictures in a large one: correlation in the frequency domain with reusable spectra.

The result is that of OpenCV's matchTemplate with TM_CCORR, at a fraction of its cost if templates recur.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Spectra = NDArray[np.complex64]


def spectra_of(pictures: Floats, shape: tuple[int, int]) -> Spectra:
    """Return the spectra (..., H, W) of pictures (..., h, w), for correlation with pictures of `shape`."""
    height, width = (cv2.getOptimalDFTSize(length) for length in shape)
    return np.asarray(np.fft.rfft2(pictures, s=(height, width)), np.complex64)


def correlated(picture: Spectra, templates: Spectra, shape: tuple[int, int]) -> Floats:
    """Return the correlations of a multi-channel picture with templates, summed over the channels.

    Returns: (A, height, width), for each template and place of its upper left corner; values are meaningless
    where a template would reach beyond the picture.

    `picture`: (C, H, W), spectra of the picture's channels. `templates`: (A, C, H, W), conjugate spectra of
    the templates' channels.
    """
    products = picture[0] * templates[:, 0]
    for channel in range(1, len(picture)):
        products += picture[channel] * templates[:, channel]
    height, width = shape
    size = cv2.getOptimalDFTSize(height), cv2.getOptimalDFTSize(width)
    return np.asarray(np.fft.irfft2(products, s=size)[:, :height, :width], np.float32)
