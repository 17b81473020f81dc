"""Sources of frames: camera, film, network, folder of pictures.

In: an address that a person typed. Out: frames in the order of their times, and a `Gap` wherever nothing was
seen. Open `source` for what every source offers, `source_address` for how one is named, `video_file` for
films.
"""
