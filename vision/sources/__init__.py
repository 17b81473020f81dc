"""Where frames come from: a video file, a camera, the simulator. Every frame carries its own time."""
