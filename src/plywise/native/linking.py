"""Libraries of compiled code that are linked late: once, with all that they call, when somebody runs them.

Numba links, optimises and makes executable every function that another one calls, each together with all
that it calls in turn, although only the entry point is ever run by Python. Here a function that is only
called by others keeps its own code; the entry point's library links all of them and optimises the whole.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

# Options of functions that compiled code alone calls: no form that Python or C could call is made.
CALLED_ONLY = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of environments begin: what code needs to raise an exception


class LateLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function, which is linked with what it calls when its address is asked for."""

    _linked = False
    _own_module: Any = None  # what callers of this kind link
    _shared_module: Any  # what Numba's own libraries link

    def _optimize_functions(self, ll_module: Any) -> None:
        """Optimise nothing yet: that is done once for all functions that are linked together."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Nothing is added any more. Nothing is linked yet either."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if not self._linked and not _defines(self._final_module, name):
            return 0  # a function for other functions: it has no form that Python can call
        self._link()
        return int(super().get_pointer_to_function(name))

    def _link(self) -> None:
        """Link this function and all that it calls, optimise the whole and make it executable."""
        if self._linked:
            return
        self._get_own_module()  # before the others' code is added
        self._link_in_all(self._final_module)
        _hide_linked_functions(self._final_module)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()
        for name in [each.name for each in self._final_module.global_variables]:
            if name.startswith(ENVIRONMENT):
                environment = lookup_environment(name)
                if environment is not None:
                    self._codegen.set_env(name, environment)

    def _finalize_final_module(self) -> None:
        """Make it executable: what was linked here, or what was linked before and comes from the cache."""
        super()._finalize_final_module()
        self._linked = True

    def _link_in_all(self, module: Any) -> None:
        for library in self._callees():
            self._reload_init.update(library._reload_init)
            late = isinstance(library, LateLibrary)
            code = library._get_own_module() if late else library._get_module_for_linking()
            module.link_in(code, preserve=True)

    def _callees(self) -> list[Any]:
        """The libraries of all functions that are called from here, each once."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library is self or library in found:
                continue
            found[library] = None
            if isinstance(library, LateLibrary):
                waiting.extend(library._linking_libraries)
        return list(found)

    def _get_own_module(self) -> Any:
        """This function alone, fit to be linked into several libraries."""
        if self._own_module is None:
            self._own_module = _copy_to_share(self._final_module)
        return self._own_module

    def _get_module_for_linking(self) -> Any:
        """This function with all that it calls, as libraries of Numba's own kind expect it."""
        self._ensure_finalized()
        if not self._linked and self._shared_module is None:
            module = self._get_own_module().clone()
            self._link_in_all(module)
            self._shared_module = module
        return super()._get_module_for_linking()


def _defines(module: Any, name: str) -> bool:
    return any(each.name == name and not each.is_declaration for each in module.functions)


def _hide_linked_functions(module: Any) -> None:
    """Make functions that were linked in private: nobody else calls them.

    LLVM may then leave out what all calls agree about: the place for an error, and the test for it,
    where no error is raised.
    """
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
            function.linkage = "internal"


def _copy_to_share(module: Any) -> Any:
    """A copy in which functions may be defined several times, and left out where they are not used."""
    module = module.clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"
    return module


@contextmanager
def link_late() -> Iterator[None]:
    """Within it, what is compiled is linked late. Numba's lock must be held."""
    # Numba's runtime is found by its name alone and linked by nobody: it has to be executable before.
    rtsys.initialize(cpu_target.target_context)
    codegen = cpu_target.target_context.codegen()
    set_environment = codegen.set_env

    def set_where_linked(name: str, environment: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_environment(name, environment)

    codegen._library_class, codegen.set_env = LateLibrary, set_where_linked
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env
