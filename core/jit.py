"""One decorator for every compiled function, and a cache that is never stale.

numba keys a cached function by its own file alone: edit a function it calls in another file, or switch
``NUMBA_BOUNDSCHECK``, and the old machine code is loaded again. Here the cache directory itself is named by a digest
of everything that can end up in the machine code, so a change simply looks in another directory.

References to arrays are not counted in compiled code: for small functions the counting can take most of the time. So a
kernel works in the arrays it is given, unless it is declared to make some (see ``jit``); numba refuses it otherwise.

``jit`` is for functions that other compiled functions call. ``entry`` is for the few that Python calls: only these are
written to the cache, since each carries the code of everything it calls.
"""

from __future__ import annotations

import functools
import getpass
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeVar, cast, overload

import numba
import numpy as np
import platformdirs
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import InlineOverloads, NopythonRewrites
from numba.core.typing import Context
from numba.core.untyped_passes import InlineClosureLikes

__all__ = ["CACHE_VARIABLE", "cache_directory", "cache_root", "direct", "entry", "jit"]

CACHE_VARIABLE = "BOARDROOM_CACHE_DIR"
"""Environment variable that names the cache directory; the default is the user's cache directory."""

KEPT_DIRECTORIES = 8
KEPT_SECONDS = 24 * 3600

config: Any = numba.config
njit: Any = numba.njit
Function: Any = numba.types.Function

F = TypeVar("F", bound=Callable[..., Any])


@overload
def jit(function: F, *, inline: bool = False, arrays: bool = False) -> F: ...
@overload
def jit(*, inline: bool = False, arrays: bool = False) -> Callable[[F], F]: ...
def jit(function: F | None = None, *, inline: bool = False, arrays: bool = False) -> F | Callable[[F], F]:
    """Compile a function that other compiled functions call; Python cannot call it.

    Nothing is written to disk: the code of the function is part of each ``entry`` that reaches it, and is optimized
    there alone. Without that, and the wrapper that Python would need, a game compiles in half of the time. With
    ``NUMBA_DISABLE_JIT=1`` the function stays as it is.

    Args:
        function: the Python function; without it, ``jit`` is the decorator with these options.
        inline: make it part of its callers before they are compiled, whatever its size.
        arrays: it makes arrays of its own, which it must not return. Then references are counted in it. Nor can a
            comprehension or an operation on whole arrays be compiled without it.
    """
    if function is None:
        return functools.partial(jit, inline=inline, arrays=arrays)
    compiled = njit(
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        inline="always" if inline else "never",
        pipeline_class=_InnerCompiler,
        _nrt=arrays,
    )(function)
    if isinstance(compiled, CPUDispatcher):
        compiled.__class__ = _Inner
    return cast(F, compiled)


class _InnerCode(JITCodeLibrary):
    """A function as numba lowers it, with all it calls, neither optimized nor made machine code.

    Both happen once, in the entries. numba would do it anew in every caller, and throw most of that away.
    """

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _InnerCode:
        return self

    def set_env(self, name: str, env: Any) -> None:
        """What numba asks of ``codegen``: to write an address into machine code, of which there is none."""


class _Typing(Context):
    """numba's knowledge of types, which remembers what an operator gives for arguments of certain types.

    numba tries the dozens of forms of an operator anew wherever the operator is used.
    """

    __slots__ = ("flags", "known")

    flags: Any
    known: dict[Any, Any]

    @classmethod
    def of(cls, context: Any, flags: Any) -> _Typing:
        """The one for a compiling mode, on which the form of an operator may depend."""
        for made in _TYPINGS:
            if made.flags == flags and made.__dict__ is context.__dict__:
                return made
        typing = cls.__new__(cls)
        typing.__dict__ = context.__dict__
        typing.flags = flags.copy()
        typing.known = {}
        _TYPINGS.append(typing)
        return typing

    def _resolve_user_function_type(self, func: Any, args: Any, kws: Any, literals: Any = None) -> Any:
        function: Any = self._lookup_global(func) or func
        if kws or not isinstance(function, Function):
            return super()._resolve_user_function_type(func, args, kws, literals)
        key = function, args
        if key not in self.known:
            signature = super()._resolve_user_function_type(func, args, kws, literals)
            self.known[key] = signature, function.get_impl_key(signature)
        # what is lowered is looked up by the types alone: another mode may have put its own form there
        signature, function._impl_keys[signature.args] = self.known[key]
        return signature


_TYPINGS: list[_Typing] = []


class _InnerCompiler(Compiler):
    """numba's pipeline, with the code of an inner function as its product."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, locals: Any
    ) -> None:
        typing = _Typing.of(typingctx, flags)
        code = _InnerCode(targetctx.codegen(), "inner")
        super().__init__(typing, targetctx, code, args, return_type, flags, locals)

    def define_pipelines(self) -> list[PassManager]:
        pipelines: list[PassManager] = super().define_pipelines()
        for passes in pipelines:
            passes.__class__ = _Passes
            if not self.state.flags.nrt:
                passes.passes = [each for each in passes.passes if each[0] not in _FOR_ARRAYS]
        return pipelines


_FOR_ARRAYS = {InlineClosureLikes, InlineOverloads, NopythonRewrites}
"""What numba does for comprehensions and for whole arrays in an expression; these make arrays."""


class _Passes(PassManager):
    """The passes of numba's pipeline, without an account of each for listeners, which tells all its types at length."""

    def _runPass(self, index: int, compiler_pass: Any, state: Any) -> None:
        compiler_pass.analysis = self._analysis
        compiler_pass.run_initialization(state)
        compiler_pass.run_pass(state)
        compiler_pass.run_finalizer(state)


class _Inner(CPUDispatcher):
    """A compiled function without an entrance for Python, which would otherwise jump to nowhere."""

    _compiler: Any

    def compile(self, sig: Any) -> Any:
        """As numba does it, but without the timers of each function, which also listen to all that it calls.

        Nor are arguments made literal: no function that others call asks for that.
        """
        args, return_type = normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter:
            known: Any = self.overloads.get(args)
            if known is None:
                known = self._compiler.compile(args, return_type)
                self.add_overload(known)
            return known.entry_point

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{self.py_func.__name__} is called by compiled code; compile a caller with core.jit.entry")


def entry(function: F, *, package: str | None = None) -> F:
    """Compile a function that Python calls, and keep its machine code on disk.

    Args:
        function: the Python function. All it reaches through its globals must be compiled with ``jit``.
        package: the name under which the cache files are kept; by default the function's top-level package.

    Returns:
        The compiled function. With ``NUMBA_DISABLE_JIT=1``: the Python function, with integer overflow allowed as it
        is in compiled code.
    """
    if config.DISABLE_JIT:
        return _python_semantics(function)
    compiled: Any = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=False)(function)
    directory = cache_directory(function, package)
    if directory is not None:
        with _numba_cache_in(directory):
            compiled.enable_caching()
    return cast(F, compiled)


def direct(function: Callable[..., Any]) -> Callable[..., Any]:
    """The machine code of an ``entry`` that was called before, without numba's look at the types of the arguments.

    That look costs more than a small kernel. The arguments must have the types of the call before, which nobody checks.
    A function that is not compiled, or for several types, is returned as it is.
    """
    compiled = list(getattr(function, "overloads", {}).values())
    return compiled[0].entry_point if len(compiled) == 1 else function


def cache_directory(function: Callable[..., Any], package: str | None = None) -> Path | None:
    """The directory for the machine code of ``function``, made if need be; None if nothing can be written anywhere.

    Its name holds a digest of the source of every package whose code the function can reach, of the versions of
    Python, numpy and numba, and of the compiling mode.
    """
    roots = _source_roots(function)
    base = cache_root()
    if roots is None or base is None:
        return None
    digest = hashlib.blake2b(_mode().encode(), digest_size=8)
    for root in sorted(roots):
        digest.update(_digest_of(root))
    label = package or _top_level(function.__module__)
    directory = base / f"{label}-{digest.hexdigest()}"
    try:
        directory.mkdir(exist_ok=True)
        os.utime(directory)
    except OSError:
        return None
    _prune(base, label, directory)
    return directory


@functools.cache
def cache_root() -> Path | None:
    """The first writable place: ``$BOARDROOM_CACHE_DIR``, the user's cache directory, the temporary directory."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        if _is_usable(Path(named)):
            return Path(named)
        warnings.warn(f"{CACHE_VARIABLE}={named} is not a writable directory; looking for another place", stacklevel=2)
    private = Path(tempfile.gettempdir()) / f"boardroom-envs-{_user()}"
    for candidate in (Path(platformdirs.user_cache_dir("boardroom-envs")), private):
        if _is_usable(candidate):
            return candidate
    warnings.warn("no writable cache directory: the kernels are compiled anew in every process", stacklevel=2)
    return None


def _is_usable(directory: Path) -> bool:
    """Whether files can be made there by us, and by nobody else in our name (cached code is run when it is loaded)."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and directory.stat().st_uid != os.getuid():
            return False
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _mode() -> str:
    versions = (sys.version, np.__version__, numba.__version__)
    return repr((*versions, config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT))


def _source_roots(function: Callable[..., Any]) -> set[Path] | None:
    """Files and package directories whose code can be compiled into ``function``; None if some of it is in no file."""
    seen: set[int] = set()
    roots: set[Path] = {Path(__file__).parent}
    waiting: list[Any] = [function]
    while waiting:
        item = waiting.pop()
        current = getattr(item, "py_func", item)
        if id(current) in seen:
            continue
        seen.add(id(current))
        for name in {current.__module__, _module_of_code(current)}:
            root = _root_of(name)
            if root is None:
                return None
            roots.add(root)
        for name in current.__code__.co_names:
            value = current.__globals__.get(name)
            if isinstance(value, ModuleType) and _root_of(value.__name__) is not None:
                waiting.extend(v for v in vars(value).values() if hasattr(v, "py_func"))
            elif hasattr(value, "py_func"):
                waiting.append(value)
    return roots


def _module_of_code(function: Callable[..., Any]) -> str:
    """The module a function was written in: one rebuilt over another namespace keeps only its file name."""
    file = function.__code__.co_filename
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == file:
            return name
    return function.__module__


def _top_level(module: str) -> str:
    return module.partition(".")[0].strip("_") or "main"


def _root_of(module: str) -> Path | None:
    top = sys.modules.get(module.partition(".")[0])
    file = getattr(top, "__file__", None)
    if file is not None:
        path = Path(file)
        return path.parent if path.name == "__init__.py" else path
    folders = list(getattr(top, "__path__", []))
    return Path(folders[0]) if folders else None


@functools.cache
def _digest_of(root: Path) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
        digest.update(str(file).encode())
        digest.update(file.read_bytes())
    return digest.digest()


@contextmanager
def _numba_cache_in(directory: Path) -> Iterator[None]:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _prune(base: Path, label: str, current: Path) -> None:
    """Remove the directories of old sources: all but the latest few, and never one that was in use today."""
    others = [d for d in base.glob(f"{label}-*") if d != current]
    try:
        others.sort(key=lambda d: d.stat().st_mtime, reverse=True)
        old = [d for d in others[KEPT_DIRECTORIES:] if time.time() - d.stat().st_mtime > KEPT_SECONDS]
    except OSError:  # another process is pruning the same directories
        return
    for directory in old:
        shutil.rmtree(directory, ignore_errors=True)


def _python_semantics(function: F) -> F:
    @functools.wraps(function)
    def run(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return run  # type: ignore[return-value]
