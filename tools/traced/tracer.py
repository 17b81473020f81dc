"""The only module that speaks to Blender: meshes, materials, lamps and a camera in, linear light out.

`bpy` has no types and one scene for each process; so has a `Tracer`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from traced.rectangles import COARSER, Box, Light
from traced.shapes import Capsule, Floats, Ints, surface

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Stuff:
    """A material."""

    # red, green, blue, linear; the factor of the picture or of the points' colours if there are any
    colour: Colour = (1.0, 1.0, 1.0)
    # rough, coat, sheen, under: roughness, clear coat, cloth's sheen, and light that enters the skin, 0..1
    rough: float = 0.6
    coat: float = 0.0
    sheen: float = 0.0
    under: float = 0.0
    # (height, width, 3), blue, green, red: 0..255 as shown, or linear floats
    picture: NDArray[Any] | None = None
    relief: Light | None = None  # (height, width), 0..1, as deep as `relief_m`
    relief_m: float = 0.001
    tinted: bool = False  # whether the points carry colours


class Tracer:
    """One scene.

    Parameters
    ----------
    size : width and height in pixels.
    samples : light paths for each pixel, before the denoiser.
    open_share : share of the shutter's whole time for which a row is open.
    """

    def __init__(self, size: tuple[int, int], samples: int, open_share: float, seed: int) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._size, self._samples = size, samples
        self._scene: Any = bpy.context.scene
        render, cycles = self._scene.render, self._scene.cycles
        render.engine = "CYCLES"
        render.resolution_x, render.resolution_y = size
        render.threads_mode, render.threads = "FIXED", 1
        render.use_persistent_data = True
        render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
        render.use_motion_blur, render.motion_blur_shutter = True, 1.0
        cycles.device, cycles.use_denoising, cycles.denoiser = "CPU", True, "OPENIMAGEDENOISE"
        cycles.denoising_prefilter = "FAST"
        cycles.seed, cycles.use_adaptive_sampling = seed, False
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 2
        cycles.caustics_reflective = cycles.caustics_refractive = False
        if open_share < 1:
            cycles.rolling_shutter_type, cycles.rolling_shutter_duration = "TOP", open_share
        world = bpy.data.worlds.new("world")
        world.use_nodes = True
        self._scene.world, self._sky = world, world.node_tree.nodes["Background"].inputs
        self._film = Path(tempfile.mkdtemp(prefix="traced")) / "film.exr"
        self._keyed: dict[str, bytes] = {}
        self._stuffs: dict[str, Any] = {}

    # --- things --------------------------------------------------------------------------------------------

    def material(self, name: str, stuff: Stuff) -> None:
        """Make a material that meshes may name."""
        made = bpy.data.materials.new(name)
        made.use_nodes = True
        nodes, links = made.node_tree.nodes, made.node_tree.links
        skin = nodes["Principled BSDF"]
        for key, value in {
            "Base Color": (*stuff.colour, 1.0),
            "Roughness": stuff.rough,
            "Coat Weight": stuff.coat,
            "Coat Roughness": 0.12,
            "Sheen Weight": stuff.sheen,
            "Subsurface Weight": stuff.under,
            "Subsurface Scale": 0.004,
        }.items():
            skin.inputs[key].default_value = value
        if stuff.tinted:
            tint = nodes.new("ShaderNodeAttribute")
            tint.attribute_name = "tint"
            links.new(tint.outputs["Color"], skin.inputs["Base Color"])
        if stuff.picture is not None:
            texture = nodes.new("ShaderNodeTexImage")
            texture.image = _image(name, stuff.picture)
            texture.extension = "EXTEND"
            links.new(texture.outputs["Color"], skin.inputs["Base Color"])
        if stuff.relief is not None:
            height, bump = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeBump")
            height.image = _image(f"{name} relief", np.repeat(stuff.relief[..., None], 3, axis=2))
            bump.inputs["Distance"].default_value = stuff.relief_m
            bump.inputs["Strength"].default_value = 0.6
            links.new(height.outputs["Color"], bump.inputs["Height"])
            links.new(bump.outputs["Normal"], skin.inputs["Normal"])
        self._stuffs[name] = made

    def mesh(
        self,
        name: str,
        points: Floats,
        faces: Sequence[tuple[int, ...]],
        materials: Sequence[str],
        *,
        uv: Floats | None = None,
        kinds: Ints | None = None,
        tint: Floats | None = None,
    ) -> None:
        """Make a mesh; `kinds` is the material of each face, `tint` (N, 3) the points' colours."""
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(points.tolist(), [], list(faces))
        for one in materials:
            mesh.materials.append(self._stuffs[one])
        if kinds is not None:
            mesh.polygons.foreach_set("material_index", kinds.astype(np.int32))
        if uv is not None:
            corners = np.empty(len(mesh.loops), np.int32)
            mesh.loops.foreach_get("vertex_index", corners)
            mesh.uv_layers.new().data.foreach_set("uv", uv[corners].astype(np.float32).ravel())
        if tint is not None:
            layer = mesh.attributes.new("tint", "FLOAT_COLOR", "POINT")
            coloured = np.column_stack([tint, np.ones(len(tint))]).astype(np.float32)
            layer.data.foreach_set("color", coloured.ravel())
        mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
        mesh.update()

    def grown_together(
        self, capsules: Sequence[Capsule], voxel_m: float
    ) -> tuple[Floats, list[tuple[int, ...]]]:
        """Return one smooth skin over capsules that overlap: its points and faces."""
        points: list[Floats] = []
        faces: list[tuple[int, ...]] = []
        for capsule in capsules:
            own, sides = surface(capsule)
            before = sum(map(len, points))
            points.append(own)
            faces += [tuple(before + k for k in side) for side in sides]
        mesh = bpy.data.meshes.new("raw")
        mesh.from_pydata(np.vstack(points).tolist(), [], faces)
        thing = bpy.data.objects.new("raw", mesh)
        self._scene.collection.objects.link(thing)
        remesh = thing.modifiers.new("remesh", "REMESH")
        remesh.mode, remesh.voxel_size = "VOXEL", voxel_m
        smooth = thing.modifiers.new("smooth", "SMOOTH")
        smooth.iterations = 6
        grown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        where = np.empty(len(grown.vertices) * 3, np.float32)
        grown.vertices.foreach_get("co", where)
        sides = [tuple(face.vertices) for face in grown.polygons]
        bpy.data.objects.remove(thing)
        bpy.data.meshes.remove(mesh)
        return where.reshape(-1, 3).astype(np.float64), sides

    def put(self, name: str, mesh: str) -> None:
        """Put a thing with a mesh into the scene, or give it another mesh."""
        thing = bpy.data.objects.get(name)
        if thing is None:
            thing = bpy.data.objects.new(name, bpy.data.meshes[mesh])
            thing.rotation_mode = "QUATERNION"
            self._scene.collection.objects.link(thing)
        elif thing.data.name != mesh:
            thing.data = bpy.data.meshes[mesh]

    def place(self, name: str, matrices: Floats) -> None:
        """Place a thing at the beginning, the middle and the end of the shutter's time, (3, 4, 4)."""
        if self._keyed.get(name) == matrices.tobytes():
            return
        self._keyed[name] = matrices.tobytes()
        thing = bpy.data.objects[name]
        thing.animation_data_clear()
        from mathutils import Matrix  # noqa: PLC0415 - Blender brings it when `bpy` is loaded

        still = bool(np.allclose(matrices, matrices[1], atol=1e-7))
        turn = None
        for frame, matrix in zip((0.5, 1.0, 1.5), matrices, strict=True):
            at, now, size = Matrix(matrix.tolist()).decompose()
            if turn is not None and now.dot(turn) < 0:
                now.negate()
            turn = now
            thing.location, thing.rotation_quaternion, thing.scale = at, now, size
            if still:
                return
            for path in ("location", "rotation_quaternion", "scale"):
                thing.keyframe_insert(path, frame=frame)
        for curve in thing.animation_data.action.fcurves:
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"

    # --- light and camera ----------------------------------------------------------------------------------

    def sky(self, strength: float) -> None:
        """Light the scene from everywhere."""
        self._sky["Color"].default_value, self._sky["Strength"].default_value = (
            (0.95, 0.98, 1.0, 1.0),
            strength,
        )

    def tube(self, at: Sequence[float], size_m: tuple[float, float], power_w: float) -> None:
        """Hang a flat lamp that shines down."""
        lamp = bpy.data.lights.new("tube", "AREA")
        lamp.shape, lamp.size, lamp.size_y, lamp.energy = "RECTANGLE", *size_m, power_w
        thing = bpy.data.objects.new("tube", lamp)
        thing.location = at
        self._scene.collection.objects.link(thing)

    def sun(self, azimuth_rad: float, height_rad: float, power: float) -> None:
        """Let the sun in."""
        lamp = bpy.data.lights.new("sun", "SUN")
        lamp.energy, lamp.angle, lamp.color = power, 0.009, (1.0, 0.93, 0.8)
        thing = bpy.data.objects.new("sun", lamp)
        thing.rotation_euler = (0.0, np.pi / 2 - height_rad, azimuth_rad)
        self._scene.collection.objects.link(thing)

    def camera(self, matrix: Floats, focal_share: float) -> None:
        """Set up the camera; its focal length is told as a share of the picture's width."""
        camera = bpy.data.cameras.new("camera")
        camera.sensor_fit, camera.sensor_width, camera.lens = "HORIZONTAL", 36.0, 36.0 * focal_share
        thing = bpy.data.objects.new("camera", camera)
        from mathutils import Matrix  # noqa: PLC0415

        thing.matrix_world = Matrix(matrix.tolist())
        self._scene.collection.objects.link(thing)
        self._scene.camera = thing

    # --- pictures ------------------------------------------------------------------------------------------

    def draw(self, box: Box | None = None, *, coarse: bool = False) -> Light:
        """Return the linear light (height, width, 3: blue, green, red) of a box or of the whole."""
        render, (width, height) = self._scene.render, self._size
        render.resolution_percentage = 100 // COARSER if coarse else 100
        render.use_border = render.use_crop_to_border = box is not None
        if box is not None:
            left, top, right, bottom = (edge + 0.25 for edge in box)  # Blender cuts to whole pixels
            render.border_min_x, render.border_max_x = left / width, right / width
            render.border_min_y = (height + 0.5 - bottom) / height
            render.border_max_y = (height + 0.5 - top) / height
        self._scene.cycles.samples = self._samples
        self._scene.frame_set(1)
        render.filepath = str(self._film)
        with _quiet():
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(self._film))
        columns, rows = image.size
        pixels = np.empty(columns * rows * image.channels, np.float32)
        image.pixels.foreach_get(pixels)
        picture = pixels.reshape(rows, columns, image.channels)[::-1, :, 2::-1]
        bpy.data.images.remove(image)
        return np.ascontiguousarray(picture)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Blender's own lines off the standard output."""
    kept = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _image(name: str, picture: NDArray[Any]) -> Any:
    """Return Blender's image of blue, green, red."""
    rows, columns = picture.shape[:2]
    is_shown = picture.dtype == np.uint8
    image = bpy.data.images.new(name, columns, rows, float_buffer=not is_shown)
    image.colorspace_settings.name = "sRGB" if is_shown else "Non-Color"
    values = picture[::-1, :, ::-1].astype(np.float32) / (255 if is_shown else 1)
    image.pixels.foreach_set(np.dstack([values, np.ones((rows, columns), np.float32)]).ravel())
    image.pack()
    return image
