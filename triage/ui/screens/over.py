"""What the screens over the Triage screen share: a list, what narrows it, a footer, what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from triage.errors import TriageError
from triage.plain import one_line
from triage.ui import messages
from triage.ui.keys import shown_keys
from triage.ui.widgets.broken import broken
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.work import bugs
from triage.ui.work.off_loop import Result, off_loop
from triage.ui.work.reads import Failed
from triage.ui.work.stage import LEAST
from triage.ui.work.watch import Watch
from triage.ui.work.words import too_small

if TYPE_CHECKING:
    from textual.widget import Widget

    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


class OverScreen(Screen[None]):
    """Esc leaves the Triage screen as it was. Its `compose` yields a `NarrowBar` and `Notice(id="small")`.

    Args:
        triage: the screen under it.
        workspace: everything it shows and writes.
        keymap: the user's keys by action id.
    """

    DEFAULT_CSS = """
    OverScreen { layout: vertical; background: $bg; color: $text; }
    OverScreen #small { display: none; background: $bg; height: 1fr; width: 1fr; }
    OverScreen.-tiny > * { display: none; }
    OverScreen.-tiny > #small { display: block; }
    OverScreen NarrowBar NarrowField { color: $text; background: $bg; background-tint: 0%; }
    OverScreen NarrowBar NarrowField > .input--placeholder,
    OverScreen NarrowBar NarrowField:ansi > .input--placeholder { color: $muted; text-style: none; }
    """
    LEAVES: ClassVar[str] = "step_back"
    """The action that goes back by one step; where nothing can be shown it is all that is left."""
    AMONG_READERS: ClassVar[bool] = False
    """Is it one of the screens of those who read a sample, and are not to hear each other's verdicts?"""

    def __init__(self, triage: TriageScreen, workspace: Workspace, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self.keymap = keymap
        self.keys = shown_keys(keymap)
        self._triage, self._workspace = triage, workspace
        self._watch: Watch | None = None
        self._missed = False

    @property
    def bar(self) -> NarrowBar:
        """What narrows, and speaks."""
        return self.query_one(NarrowBar)

    @property
    def main(self) -> Widget:
        """What has the keys when nothing is typed."""
        raise NotImplementedError

    def show(self, keep: str | None = None) -> None:
        """Show what is known; `keep` is the row that the cursor stays on."""
        raise NotImplementedError

    def settle(self) -> None:
        """Let head, header and footer follow the keys."""
        raise NotImplementedError

    def ask(self) -> None:
        """Ask for what is shown, at first and when others have written; nothing is waited for."""
        raise NotImplementedError

    def begin(self) -> None:
        """What is done once the screen is there."""
        self.ask()
        self.show()

    @property
    def beside(self) -> Widget | None:
        """What takes the keys beside the list; None where nothing does."""
        return None

    def keys_changed(self) -> None:
        """The user's keys are others now."""
        self.keys.update(shown_keys(self.keymap))

    def on_mount(self) -> None:
        """Look for what others write, and tell how files are followed."""
        self._watch = Watch(self, self._workspace)
        self.begin()
        self.watch(self._triage, "live", lambda: self.settle(), init=False)

    def on_unmount(self) -> None:
        """Let the thread go."""
        if self._watch is not None:
            self._watch.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where the terminal is too small to show anything, only leaving is left."""
        return not self.has_class("-tiny") or action == self.LEAVES

    def say(self, text: str) -> None:
        """What has just happened."""
        self.bar.say([(one_line(text), "text")])

    def wrong(self, error: BaseException, doing: str) -> None:
        """What went wrong; it stays until esc."""
        words = str(error) if isinstance(error, TriageError) else bugs.in_words(error, doing)
        self.complain(one_line(words))
        if isinstance(self.main, CursorList) and not self.main.count:
            # The bar has one line, here is room; and nothing is being read any more.
            self.main.say(tuple(broken([(one_line(words), "text")], self.size.width - 4)))

    def complain(self, text: str) -> None:
        """Say what went wrong where the screen speaks."""
        self.bar.error(text)

    def do(self, deed: Coroutine[Any, Any, None]) -> None:
        """Begin what asks the user something."""
        self.run_worker(deed, group="asking")

    async def off(self, call: Callable[[], Result], doing: str) -> tuple[Result] | None:
        """One blocking workspace call; what went wrong is told, None comes back."""
        return await off_loop(call, lambda error: self.wrong(error, doing))

    @on(Failed)
    def _read_ended(self, event: Failed) -> None:
        self.wrong(event.error, event.doing)

    @on(messages.ChangedElsewhere)
    def _changed_elsewhere(self) -> None:
        stack = self.app.screen_stack
        above = stack[stack.index(self) + 1 :] if self in stack else ()
        if any(isinstance(screen, OverScreen) for screen in above):
            # Nobody sees it, and who reads above would wait for the same processor.
            self._missed = True
        else:
            self.ask()

    def on_screen_resume(self) -> None:
        """What others have written while another screen was over this one."""
        if self._missed:
            self.ask_anew()

    def ask_anew(self) -> None:
        """Ask once more, with all that was missed."""
        self._missed = False
        self.ask()

    @on(messages.ReadFailed)
    def _look_failed(self, event: messages.ReadFailed) -> None:
        self.wrong(event.error, "looking for changes")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that ends by something else than the user's error is a bug of ours, and says so."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.wrong(event.worker.error, event.worker.name)

    @on(NarrowBar.Typed)
    def _narrowed(self) -> None:
        self.show()

    @on(NarrowBar.Left)
    def _typed_enough(self) -> None:
        self.to_main()

    def to_main(self) -> None:
        """Give the list the keys."""
        self.main.focus()

    def to_cases(self) -> TriageScreen:
        """Leave this and every other screen over the Triage screen, whose list has the keys then."""
        app, triage = self.app, self._triage
        while app.screen is not triage and len(app.screen_stack) > 1:
            app.pop_screen()
        triage.remove_class("-reading")
        triage.cases.focus()
        return triage

    def action_narrow(self) -> None:
        """Narrow the list by typing."""
        self.bar.type()

    def action_pane(self) -> None:
        """Between the list and what stands beside it."""
        if self.beside is not None and self.beside.display:
            (self.main if self.focused is self.beside else self.beside).focus()

    def action_step_back(self) -> None:
        """Back by one step: an error, what is beside the list, the text that narrows, then the screen."""
        if self.bar.hush():
            return
        if self.beside is not None and self.focused is self.beside:
            self.to_main()
        elif self.bar.typing or self.bar.text:
            self.bar.clear()
            self.to_main()
        else:
            self.dismiss(None)

    def on_descendant_focus(self) -> None:
        """The header and the footer follow the keys."""
        self.settle()

    def on_descendant_blur(self) -> None:
        """The header and the footer follow the keys."""
        self.settle()

    def on_resize(self, event: events.Resize) -> None:
        """Below 60x15 a sentence says so."""
        tiny = event.size.width < LEAST[0] or event.size.height < LEAST[1]
        self.set_class(tiny, "-tiny")
        self.query_one("#small", Notice).lines = too_small(*event.size) if tiny else ()
