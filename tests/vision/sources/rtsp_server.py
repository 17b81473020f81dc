"""A real RTSP server for the sources' tests: GStreamer's, run by the system's Python.

`/usr/bin/python3 rtsp_server.py VIDEO` serves an H.264 MP4 at its own speed and prints its address. Needs
Debian's gir1.2-gst-rtsp-server-1.0, python3-gi and gstreamer1.0-plugins-good.
"""

import sys

try:
    import gi  # type: ignore[import-not-found]

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer  # type: ignore[import-not-found]
except (ImportError, ValueError) as error:
    sys.exit(f"no RTSP server here: {error}")

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f'( filesrc location="{sys.argv[1]}" ! qtdemux ! rtph264pay name=pay0 pt=96 )')
server.get_mount_points().add_factory("/table", factory)
server.attach(None)
print(f"rtsp://127.0.0.1:{server.get_bound_port()}/table", flush=True)
GLib.MainLoop().run()
