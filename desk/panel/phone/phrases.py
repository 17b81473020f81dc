"""Texts about a phone as camera, on the phone's page and on the desk's."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import N_

STAGES: Mapping[str, str] = {
    "waiting": N_("Read the code with the phone's camera."),
    "joined": N_("The phone is here: start the camera on it."),
    "streaming": N_("The phone sends its pictures."),
    "lost": N_("The phone is away. Its page connects again by itself; otherwise read the code anew."),
}
WARNINGS: Mapping[str, str] = {
    "battery": N_("The battery is low: plug the phone in."),
    "heat": N_("The phone is hot: give it shade and air, and take it off the charger."),
    "autofocus": N_("The focus may move: hold it once the cards are sharp."),
    "slow_phone": N_("The phone cannot keep up: choose a smaller picture or fewer pictures a second."),
    "slow_network": N_(
        "The network cannot keep up: choose fewer Mbit/s, or move nearer to the access point."
    ),
    "hidden": N_("The page is in the background: the camera stands still."),
    "clock": N_("This browser does not tell when a picture was taken: instants are less certain."),
    "no_wake_lock": N_("The screen may turn itself off: set it to stay on."),
}
"""Texts of the phone's warnings, by the ids of `messages.Report`."""
PAGE_STRINGS: Mapping[str, str] = {
    **{f"warn_{name}": text for name, text in WARNINGS.items()},
    "insecure": N_("The browser lends its camera only to pages with https."),
    "no_encoder": N_("This browser cannot encode video (WebCodecs): update it, or take Chrome or Safari."),
    "camera_NotAllowedError": N_(
        "The browser may not use the camera: allow it for this page, then start again."
    ),
    "camera_NotReadableError": N_("A call or another app has the camera."),
    "camera_AbortError": N_("A call or another app has the camera."),
    "camera_OverconstrainedError": N_("The chosen lens is not there any more: choose another one."),
    "camera_NotFoundError": N_("This device has no camera that the browser may see."),
    "again": N_("The camera is tried again every few seconds, and when you come back to this page."),
    "no_camera": N_("The camera does not start: {why}"),
    "starting": N_("Starting the camera …"),
    "connecting": N_("Connecting to the desk …"),
    "sending": N_("Sending: {fps} of {wanted} pictures a second arrive, clock ± {clock} ms"),
    "measuring": N_("Connected: the phone's clock is being measured …"),
    "expired": N_("This link was used up: read the new code on the desk."),
    "replaced": N_("Another phone is the camera now."),
    "desk_slow": N_("The desk had no time for {n} pictures: a smaller picture helps."),
    "left_out": N_("{n} pictures left out by the phone"),
    "looking": N_("The desk has not looked at the pictures yet."),
    "all_good": N_("The desk has nothing to complain about."),
    "lens": N_("Camera {n}"),
}
"""Texts of the page's script."""
