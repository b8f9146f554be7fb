"""Starts the window: its frame is on the screen before anything heavy is imported."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer, QTranslator
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QStyle, QWidget

from dpdesk import crash
from dpdesk.errors import DpdeskError
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.messages import plain_box
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.i18n import ENGLISH, language, translated
from dpdesk.resources import resource


class CrashTeller:
    """Replaces `sys.excepthook` while the window runs and shows errors in a dialog.

    Texts of foreign exceptions can quote the data: only their kind and place are shown.
    """

    def __init__(self) -> None:
        # Without a window there is no parent to own the box.
        self._box: QMessageBox | None = None

    def install(self) -> None:
        """Installs the hook."""
        sys.excepthook = self.tell

    def tell(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Shows an error, one at a time, so that an error at every repaint is shown once."""
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        noted = crash.unexpected(error)
        # Without a console, as on Windows, there is no such stream.
        if sys.stderr is not None:
            sys.stderr.write(f"dpdesk: {noted}\n")
        if self._box is not None or QApplication.instance() is None:
            return

        def tr(text: str) -> str:
            return QCoreApplication.translate("CrashTeller", text)

        known = str(error) if isinstance(error, DpdeskError) else ""
        unknown = tr("An unexpected error of kind {kind} happened.").format(
            kind=crash.kind_of(error)
        )
        box = plain_box(
            QApplication.activeWindow(),
            QMessageBox.Icon.Critical,
            tr("Something went wrong"),
            known or unknown,
            tr(
                "Your plan is still there: save it under a new name. Please report the lines "
                "under Details with the steps that led here; they hold none of your data."
            ),
        )
        box.setDetailedText("\n".join([kind.__name__, *crash.places(trace), str(crash.log_path())]))
        box.finished.connect(self._forget_box)
        self._box = box
        box.open()

    def _forget_box(self) -> None:
        self._box = None


_Modifier = Qt.KeyboardModifier
_END = object()
_COLLECTING_MS = 100
"""Milliseconds between two looks at how much there is to collect."""

_FULL_COLLECTIONS_EVERY = 100
"""Collections of the middle generation between two of all objects; Python's own number is 10."""


class CycleCollector(QObject):
    """Runs the collector of cycles in the thread of the window, and in no other.

    Python collects in whichever thread happens to allocate. In the thread of a job it would delete
    widgets that nothing refers to any more, which Qt allows in the window's thread alone: the
    program crashes, or two threads wait for each other.

    Args:
        parent: The application. While its events are processed, cycles are collected about as often
            as Python's thresholds ask for.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(_COLLECTING_MS)
        self._timer.timeout.connect(self.collect)

    def begin(self) -> None:
        """Stops Python from collecting by itself, and begins to do so here."""
        gc.disable()
        self._timer.start()

    def end(self) -> None:
        """Lets Python collect by itself again, in any thread."""
        self._timer.stop()
        gc.enable()

    def collect(self) -> None:
        """Collects the oldest generation that is due, if any is."""
        due = [
            generation
            for generation, (has, most) in enumerate(
                zip(gc.get_count(), gc.get_threshold(), strict=True)
            )
            if has > most
        ]
        if due:
            gc.collect(due[-1])


class MnemonicGuard(QObject):
    """Keeps a letter pressed with Alt alone out of text fields.

    Such a letter is the mnemonic of a button. While that button is disabled nobody takes the key,
    and Qt would type its letter into the field with the focus. AltGr, which Windows reports as Ctrl
    and Alt, types letters as ever.

    Args:
        app: The application, which owns it.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        # Only who has the focus is watched: a filter of the application would see every paint.
        app.focusChanged.connect(self._watch)

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        # Those that are typed into say so; others, as a list or a picture, may have keys with Alt.
        if now is not None and now.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        held = event.modifiers() & ~(_Modifier.ShiftModifier | _Modifier.KeypadModifier)
        text = event.text()
        return held == _Modifier.AltModifier and bool(text) and text.isprintable()


class TableTranslator(QTranslator):
    """Answers Qt's `tr` in the language of the tables of texts, from the same catalogue."""

    def isEmpty(self) -> bool:
        return False

    def translate(
        self, context: str, sourceText: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return translated(sourceText)


def application() -> QApplication:
    """The application of the process, created if there is none."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QCoreApplication.setOrganizationName("dpdesk")
    QCoreApplication.setApplicationName("dpdesk")
    app = QApplication(sys.argv[:1])
    if language() != ENGLISH:
        app.installTranslator(TableTranslator(app))
    # Wayland takes the icon from the entry of the menu, by this name.
    app.setDesktopFileName("dpdesk")
    app.setWindowIcon(QIcon(str(resource("program/dpdesk.svg"))))
    # On a Mac Option types signs, and there are no mnemonics.
    if sys.platform != "darwin":
        MnemonicGuard(app)
    return app


def keep_on_screen(window: QWidget) -> None:
    """Makes a window no larger than its screen, as that of a projector, has room for."""
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room = window.screen().availableGeometry().size() - QSize(0, title)
    window.resize(window.size().boundedTo(room))


def run(file: Path | None = None, *, sample: bool = False) -> int:
    """Opens the window and returns when it is closed.

    Args:
        file: Data or a plan to open.
        sample: Whether to open the bundled sample.

    Returns:
        The exit code of the process.
    """
    app = application()
    CrashTeller().install()
    CycleCollector(app).begin()
    settings = Settings()
    ThemeSwitch(app, settings.theme(), settings.text_percent())
    window = MainWindow(settings)
    keep_on_screen(window)
    window.show()

    _advance(_furnish(window, file, sample))
    return app.exec()


def _furnish(window: MainWindow, file: Path | None, sample: bool) -> Iterator[None]:
    # The first step is the first paint: the imports after it take most of a second.
    yield
    from dpdesk.gui.document import Document

    yield
    yield from window.furnishing(Document(window))
    spare_start_up()
    if sample:
        window.files.open_sample()
    if file is not None:
        window.open(file)
    if file is None and not sample:
        window.offer_tour()


def spare_start_up() -> None:
    """Exempts all that there is from the collector of cycles: it lives as long as the window.

    Modules, schemas and pages are 143,000 objects. A full collection that looked at each took 115
    to 230 ms, now and then in the middle of a drag. A survey of 200 columns adds 33,000, of which
    one takes 50 ms: a drag gives cause for one in a thousand steps, and now in ten thousand.
    """
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _FULL_COLLECTIONS_EVERY)


def _advance(steps: Iterator[None]) -> None:
    """Runs a step and, after pending events of the window, the next."""
    if next(steps, _END) is not _END:
        QTimer.singleShot(0, lambda: _advance(steps))
