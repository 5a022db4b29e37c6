"""One blocking call from a coroutine of the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def off_loop(
    call: Callable[[], Result], wrong: Callable[[BaseException], object]
) -> tuple[Result] | None:
    """Make a call off the event loop: its result in a tuple; None where `wrong` was told the error."""
    future = asyncio.get_running_loop().run_in_executor(None, call)
    await asyncio.wait([future])
    error = future.exception()
    if error is None:
        return (future.result(),)
    wrong(error)
    return None
