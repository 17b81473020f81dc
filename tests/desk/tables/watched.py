"""A live game watched until its table ends."""

import asyncio

from desk.tables.live_game import LiveGame


def watch_to_the_end(live: LiveGame) -> None:
    """Let a game watch its table until that has no more pictures."""

    async def watch() -> None:
        live.begin(asyncio.get_running_loop())
        while live.is_watching:
            await asyncio.sleep(0.01)
        await live.end()

    asyncio.run(watch())
