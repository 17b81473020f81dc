"""Detect hits on the tatami by ear: the instant of contact to the millisecond, at any frame rate.

A hand that lands causes a burst that rises within a millisecond and reaches high frequencies. A reciter's
voice does neither: vowels have little energy above 6 kHz, and sibilants (s, sh, h) swell over tens of
milliseconds. So only sounds that jump up in the high band and soon die away are taken for impacts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Wave = NDArray[np.float32]
Floats = NDArray[np.float64]

SOUND_MPS = 343.0  # speed of sound in air of 20 degrees Celsius
_HOP_S = 0.0005  # step in which levels are measured
_BEFORE_S = 0.010  # stretch from which a hit must stand out
_SILENCE = 1e-12  # lower bound of a power
_APART_S = 0.004  # least time between two hits
_AFTER_S = 0.030  # stretch behind a hit in which its decay and its echoes are heard
_CLEAR_DB, _BEHIND_DB, _AFTER_JUMP_DB, _ECHO_DB = 18.0, 10.0, 8.0, 6.0
"""Behind a hit that stood out by more than the first, another one must stand out by the second from what was
before, or by the third from its decay. It may be an echo if it is quieter than the first hit by the last."""
_NEW_S, _OLD_S, _NEW_DB, _NEW_AS_DB = 0.002, 0.003, 3.0, 11.5
"""Behind a clear hit the means of such stretches fall; if a later one is louder by this, there is another
hit. Of hits 6 to 8 ms behind another one at least 7 in 10 are found in this way (3 to 6 in 10 without), and
behind 300 single hits, half of them in a hall with echoes, 4 false ones (simulated). Means fluctuate less
than single hops: such a rise is as certain as a jump this much higher."""


@dataclass(frozen=True, slots=True)
class Impact:
    """A hit that was heard."""

    # t_ns, t_unc_ns: when it was struck, 95 % half width; the sound's travel time to the microphone is
    # subtracted
    t_ns: int
    t_unc_ns: int
    level_db: float  # how far it stood out from the high band just before
    deaf_ns: int  # for how long after it a somewhat quieter hit would be drowned by it


@dataclass(frozen=True, slots=True)
class Microphone:
    """The microphone's position: metres from the centre of the field, and how far hits may be off that."""

    distance_m: float = 1.0
    spread_m: float = 0.4

    @property
    def delay_ns(self) -> tuple[int, int]:
        """Travel time of sound from the field to the microphone and its 95 % half width, nanoseconds."""
        return round(self.distance_m / SOUND_MPS * 1e9), round(self.spread_m / SOUND_MPS * 1e9)


def find_impacts(
    wave: Wave, rate_hz: int, t_start_ns: int = 0, microphone: Microphone | None = None
) -> list[Impact]:
    """Find the hits in a recording.

    Raises ValueError if the sample rate is too low to tell hits from vowels.

    Parameters
    ----------
    wave : shape (samples,), one channel.
    rate_hz : samples per second, at least 16,000.
    t_start_ns : when the first sample was recorded, on the pictures' clock.
    """
    min_rate_hz = 16_000
    if rate_hz < min_rate_hz:
        raise ValueError(
            f"sound of {rate_hz} samples a second is too dull for impacts: record at 44100 or 48000"
        )
    shortest_s = 0.05
    if len(wave) < shortest_s * rate_hz:
        return []  # too short to compare a hit with what was before it
    delay_ns, spread_ns = (microphone or Microphone()).delay_ns
    from scipy.signal import butter, sosfilt  # noqa: PLC0415 - slow to load, and few recordings have sound

    high = sosfilt(butter(4, _listened_hz(rate_hz)[0], "highpass", fs=rate_hz, output="sos"), wave)
    bands = _bands(high, rate_hz)
    found = []
    onset_unc_ns = 500_000
    for at, level_db in _jumps(high, bands, rate_hz):
        first = _onset(high, bands, at, rate_hz)
        t_ns = t_start_ns + round(first / rate_hz * 1e9) - delay_ns
        unc_ns = round(float(np.hypot(onset_unc_ns, spread_ns)))
        deaf_ns = round(_deaf_hops(bands, at) * _HOP_S * 1e9)
        found.append(Impact(t_ns, unc_ns, level_db, deaf_ns))
    return found


def _bands(high: Floats, rate_hz: int) -> Floats:
    """Return the power of each band of 1 kHz, shape (bands, hops): a hiss fills some, a hit all of them."""
    look_s = 0.001
    hop, look = round(_HOP_S * rate_hz), round(look_s * rate_hz)
    lead = (look - hop) // 2
    looks = sliding_window_view(np.pad(high, (lead, look), mode="reflect"), look)[::hop][: len(high) // hop]
    powers = np.abs(np.fft.rfft(looks * np.hanning(look + 2)[1:-1], axis=1)) ** 2
    pitch_hz = np.fft.rfftfreq(look, 1 / rate_hz)
    low_hz, high_hz = _listened_hz(rate_hz)
    listened = (pitch_hz >= low_hz) & (pitch_hz <= high_hz)
    return np.ascontiguousarray(powers[:, listened].T) + _SILENCE


def _jumps(high: Floats, bands: Floats, rate_hz: int) -> list[tuple[int, float]]:
    """Return the hops at which impacts are loudest, and by how many decibels they stand out from before."""
    apart, near_by, new, old = (round(span / _HOP_S) for span in (_APART_S, _AFTER_S, _NEW_S, _OLD_S))
    dies_s = (0.012, 0.030)
    soon, late = (round(span / _HOP_S) for span in dies_s)
    before = _before(bands, _BEFORE_S)
    level_db = _above_db(bands, before)
    just_before_s = 0.003
    at_last = _before(bands, just_before_s)
    behind_db = _above_db(bands, at_last)
    energy_db = 10 * np.log10(bands.mean(axis=0))
    # For a mean of this many bands; a mean of fewer, as of dull sound, fluctuates more.
    least_db, many_bands, fall_db = 5.0, 11, 6.0
    jump_db = least_db * max(1.0, (many_bands / len(bands)) ** 0.5)
    new_db = _new_db(bands)
    jumps: list[tuple[int, float]] = []
    for at in np.flatnonzero((np.maximum(level_db, behind_db) > jump_db) | (new_db > _NEW_DB)):
        near = slice(max(0, at - apart), at + apart + 1)
        last, clear_db = jumps[-1] if jumps else (-near_by, 0.0)
        # for a rise of the means it is enough that the first hit's beginning is not part of them
        if at - last <= (old if new_db[at] > _NEW_DB else apart):
            continue
        told_db, burst, out_of = level_db[at], bands[:, at], before[:, at]
        if at - last < near_by and clear_db > _CLEAR_DB:
            is_new = new_db[at] > _NEW_DB and new_db[at] >= new_db[at - new : at + new + 1].max()
            is_most = max(told_db, behind_db[at]) >= max(level_db[near].max(), behind_db[near].max())
            stands_out = level_db[at] >= _BEHIND_DB or behind_db[at] >= _AFTER_JUMP_DB
            if not (is_new or (is_most and stands_out)):
                continue
            quieter = energy_db[at : at + apart].max() < energy_db[last : last + apart].max() - _ECHO_DB
            if quieter and level_db[at] < _BEHIND_DB and _is_echo(high, bands, last, int(at), rate_hz):
                continue
            if behind_db[at] > told_db:
                told_db, out_of = behind_db[at], at_last[:, at]
            if is_new and new_db[at] + _NEW_AS_DB > told_db:
                told_db, burst = new_db[at] + _NEW_AS_DB, bands[:, at : at + new].mean(axis=1)
                out_of = np.zeros_like(burst)
        elif told_db < max(jump_db, level_db[near].max()):
            continue
        after = bands[:, at + soon : at + late]
        stands = burst > out_of * 10 ** (fall_db / 10)
        falls = bool(after.size) and bool(stands.any())
        # other hits may follow, so the quieter part of what follows counts
        falls = falls and bool(np.percentile(_above_db(after[stands], burst[stands, None]), 25) <= -fall_db)
        if falls or (not after.size and told_db >= _CLEAR_DB):
            jumps.append((int(at), float(told_db)))
        # otherwise it goes on: a hiss, not a hit; or the sound ends before that is known
    return jumps


def _new_db(bands: Floats) -> Floats:
    """Return by how much a stretch that begins at each hop is louder than the one before it, dB, (hops,)."""
    from scipy.ndimage import uniform_filter1d  # noqa: PLC0415 - see `find_impacts`

    new, old = (round(each / _HOP_S) for each in (_NEW_S, _OLD_S))
    ahead = uniform_filter1d(bands, new, axis=1, origin=-(new // 2), mode="nearest")
    behind = uniform_filter1d(bands, old, axis=1, origin=(old - 1) // 2, mode="nearest")
    return _above_db(ahead, np.pad(behind, ((0, 0), (2, 0)), mode="edge")[:, : bands.shape[1]])


def _is_echo(high: Floats, bands: Floats, first: int, at: int, rate_hz: int) -> bool:
    """Tell whether the sound at a hop repeats the sound at the first one."""
    # An echo repeats the wave; another hit does not. Over this length 99 of 100 hits correlate by at most
    # 0.35, and 99 of 100 echoes among others by at least 0.52 (simulated hits, five walls).
    wave_s, echo_slack_s, least_alike = 0.004, 0.0015, 0.43
    length, slack = round(wave_s * rate_hz), round(echo_slack_s * rate_hz)
    begin, again = (_onset(high, bands, hop, rate_hz) for hop in (first, at))
    wave, later = high[begin : begin + length], high[max(0, again - slack) : again + length + slack]
    if len(later) < len(wave):
        return False
    alike = np.abs(np.correlate(later, wave))
    power = np.convolve(np.square(later), np.ones(len(wave)), "valid") * np.square(wave).sum()
    return bool((alike > least_alike * np.sqrt(power + _SILENCE)).any())


def _above_db(bands: Floats, others: Floats) -> Floats:
    """Return by how much bands stand out from others, dB, as the mean over all bands: shape (hops,)."""
    # Limits for a single band, so that neither a silent one nor one with a whistle dominates.
    band_db = (-10.0, 30.0)
    above: Floats = np.clip(10 * np.log10(bands / others), *band_db).mean(axis=0)
    return above


def _before(bands: Floats, span_s: float) -> Floats:
    """Return the level of each band just before each hop: its loudest stretch, since swelling is no jump."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d  # noqa: PLC0415 - see `find_impacts`

    guard_s = 0.001
    stretch_s = 0.0025
    guard, span, stretch = (round(each / _HOP_S) for each in (guard_s, span_s, min(stretch_s, span_s)))
    means = uniform_filter1d(bands, stretch, axis=1, origin=(stretch - 1) // 2, mode="nearest")
    most = span - stretch + 1
    loudest = maximum_filter1d(means, most, axis=1, origin=(most - 1) // 2, mode="nearest")
    before: Floats = np.pad(loudest, ((0, 0), (guard + 1, 0)), mode="edge")[:, : bands.shape[1]]
    return before


def _deaf_hops(bands: Floats, at: int) -> int:
    """Return after how many hops a somewhat quieter hit would be heard again."""
    first, last = (round(span / _HOP_S) for span in (_APART_S, _AFTER_S))
    quieter_db = 8.0  # a second hit may be this much quieter than the first and must still be heard
    audible = bands[:, at : at + 1] / 10 ** (quieter_db / 10)
    after = _before(bands[:, max(0, at - 2 * last) : at + last], _BEFORE_S)[:, min(at, 2 * last) :]
    heard = _above_db(audible, after) > _BEHIND_DB
    heard[:first] = False
    return int(np.argmax(heard)) if heard.any() else last


def _onset(high: Floats, bands: Floats, at: int, rate_hz: int) -> int:
    """Return the sample at which a burst rises above what was before, with each pitch weighted by that."""
    # A burst begins at most this long before its loudest hop, with this share of its peak, and above the
    # noise: of the 100 samples of a rise hardly one of plain noise is this many times its mean.
    rise_s, rise_share, above_noise = 0.002, 0.3, 3.5
    hop, back, span = (round(each * rate_hz) for each in (_HOP_S, rise_s, _BEFORE_S))
    begin = max(0, at * hop - back - span)
    part = high[begin : (at + 1) * hop + hop]
    pitch_hz = np.fft.rfftfreq(len(part), 1 / rate_hz)
    listened_hz = np.linspace(*_listened_hz(rate_hz), len(bands))
    before = _before(bands[:, : at + 1], _BEFORE_S)[:, -1]
    weight = np.interp(pitch_hz, listened_hz, before**-0.5, left=0.0, right=0.0)
    loud = np.abs(np.fft.irfft(np.fft.rfft(part) * weight, len(part)))
    rise = at * hop - begin - back
    earlier, burst = loud[: max(rise, 1)], loud[max(0, rise) : at * hop - begin + hop]
    chance = above_noise * float(np.sqrt(np.square(earlier).mean()))
    limit = max(rise_share * burst.max(), min(burst.max(), chance))
    return begin + max(0, rise) + int(np.argmax(burst >= limit))


def _listened_hz(rate_hz: int) -> tuple[float, float]:
    """Return the lowest and the highest pitch to analyse, Hz."""
    # Above a voice's vowels, and below the cut-off of a phone's microphone and codec.
    low_hz, high_hz = 6_000.0, 16_000.0
    return min(low_hz, 0.4 * rate_hz), min(high_hz, 0.5 * rate_hz)
