"""Pictures that prove what happened on a table: kept step by step, made into films, deleted.

In: the frames of a table that is watched live, or a bundle of pictures. Out: bundles on the disk, MP4 films.
Open `keeper` first; `clip` makes the film of any bundle.
"""
