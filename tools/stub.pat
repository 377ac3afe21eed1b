# What a compiled slot cannot say of itself: types, for tools/make_stub.py (a pattern file of nanobind.stubgen).

isthmus\._isthmus\.((?:bool|u?int\d+|b?float\d+|complex\d+))$:
    \1: numpy.dtype[Any] = ...

isthmus\._isthmus\.Array\.(__[ir]?(?:add|sub|mul|truediv|floordiv|mod|pow|and|or|xor|lshift|rshift)__)$:
    def \1(self, other: Array | Number, /) -> Array: ...

isthmus\._isthmus\.Array\.(__[ir]?matmul__)$:
    def \1(self, other: Array, /) -> Array: ...

isthmus\._isthmus\.Array\.(__r?divmod__)$:
    def \1(self, other: Array | Number, /) -> tuple[Array, Array]: ...

isthmus\._isthmus\.Array\.(__(?:lt|le|gt|ge)__)$:
    def \1(self, other: Array | Number, /) -> Array: ...

isthmus\._isthmus\.Array\.(__(?:eq|ne)__)$:
    def \1(self, other: Array | Number | None, /) -> Array: ...  # type: ignore[override]

isthmus\._isthmus\.Array\.(__(?:neg|pos|abs|invert)__)$:
    def \1(self, /) -> Array: ...

isthmus\._isthmus\._ArrayOnQueue\.(__[ir]?(?:add|sub|mul|truediv|floordiv|mod|and|or|xor|lshift|rshift)__)$:
    \from typing import Self
    def \1(self, other: Any, /) -> Self: ...

isthmus\._isthmus\._ArrayOnQueue\.(__r?pow__)$:
    def \1(self, other: Any, /) -> Self: ...

isthmus\._isthmus\._ArrayOnQueue\.(__(?:lt|le|gt|ge)__)$:
    def \1(self, other: Any, /) -> Self: ...

isthmus\._isthmus\._ArrayOnQueue\.(__(?:eq|ne)__)$:
    def \1(self, other: object, /) -> Self: ...  # type: ignore[override]

isthmus\._isthmus\._ArrayOnQueue\.(__(?:neg|abs|invert)__)$:
    def \1(self, /) -> Self: ...

isthmus\._isthmus\._ArrayOnQueue\.__hash__$:
    __hash__: None = ...  # type: ignore[assignment]

isthmus\._isthmus\._ArrayOnQueue\.__new__$:

isthmus\._isthmus\._ArrayOnQueue\._x$:
    _x: Array

isthmus\._isthmus\._ArrayOnQueue\._lanes$:
    _lanes: Array | None

isthmus\._isthmus\._ArrayOnQueue\._events$:
    _events: list[Any]

isthmus\._isthmus\._ArrayOnQueue\._news$:
    _news: int

isthmus\._isthmus\._ArrayOnQueue\._vector$:
    _vector: numpy.dtype[Any]

isthmus\._isthmus\._ArrayOnQueue\.(queue|allocator|_context|_held|_fresh)$:
    \1: Any

isthmus\._isthmus\._ArrayOnQueue\.finish$:
    def finish(self) -> None: ...

isthmus\._isthmus\.Array\.__bool__$:
    def __bool__(self, /) -> bool: ...

isthmus\._isthmus\.Array\.(__(?:int|index|len)__)$:
    def \1(self, /) -> int: ...

isthmus\._isthmus\.Array\.__float__$:
    def __float__(self, /) -> float: ...

isthmus\._isthmus\.Array\.__hash__$:
    __hash__: None = ...  # type: ignore[assignment]

isthmus\._isthmus\.Array\.__getitem__$:
    def __getitem__(self, key: Index | tuple[Index, ...] | str | list[str], /) -> Array: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

isthmus\._isthmus\.Array\.__setitem__$:
    def __setitem__(self, key: Index | tuple[Index, ...] | str | list[str], value: Elements, /) -> None: ...

isthmus\._isthmus\.Array\.__delitem__$:

isthmus\._isthmus\.Array\.__contains__$:
    def __contains__(self, value: object, /) -> bool: ...

isthmus\._isthmus\.Array\.__iter__$:
    \from collections.abc import Iterator
    def __iter__(self, /) -> Iterator[Array]: ...

isthmus\._isthmus\.Array\.__reversed__$:
    \from collections.abc import Iterator
    def __reversed__(self, /) -> Iterator[Array]: ...

isthmus\._isthmus\.Array\.(__(?:str|repr)__)$:
    def \1(self, /) -> str: ...

isthmus\._isthmus\.Array\.__format__$:
    def __format__(self, text: str, /) -> str: ...

isthmus\._isthmus\.Array\.__reduce__$:
    def __reduce__(self, /) -> tuple[Any, ...]: ...

isthmus\._isthmus\.Array\.item$:
    def item(self, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> Any: ...

isthmus\._isthmus\.Array\.tolist$:
    def tolist(self) -> Any: ...

isthmus\._isthmus\.Array\.to_numpy$:
    def to_numpy(self) -> numpy.ndarray[Any, Any]: ...

isthmus\._isthmus\.Array\.eval$:
    def eval(self) -> Array: ...

isthmus\._isthmus\.Array\.__array_namespace__$:
    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType: ...

isthmus\._isthmus\.Array\.__array__$:
    \from numpy.typing import DTypeLike
    def __array__(self, dtype: DTypeLike | None = None, *, copy: bool | None = None) -> numpy.ndarray[Any, Any]: ...

isthmus\._isthmus\.Array\.__array_interface__$:
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

isthmus\._isthmus\.Array\.__sycl_usm_array_interface__$:
    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

isthmus\._isthmus\.Array\.__dlpack__$:
    \import enum
    \from typing_extensions import CapsuleType
    def __dlpack__(self, /, *, stream: object = None, max_version: tuple[int, int] | None = None, dl_device: tuple[enum.Enum | int, int] | None = None, copy: bool | None = None) -> CapsuleType: ...

isthmus\._isthmus\.Array\.to_pyopencl$:
    def to_pyopencl(self, /, *, queue: Any = None) -> Any: ...

isthmus\._isthmus\.Array\.__dlpack_device__$:
    def __dlpack_device__(self, /) -> tuple[int, int]: ...

isthmus\._isthmus\.Array\.__dlpack_c_exchange_api__$:
    \from typing_extensions import CapsuleType
    __dlpack_c_exchange_api__: CapsuleType = ...

isthmus\._isthmus\._Memory\.__init__$:
    def __init__(self, array: Array) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

isthmus\._isthmus\.asarray$:
    def asarray(obj: object, /, dtype: object = None, *, device: Device | str | None = None, copy: bool | None = None) -> Array:
        \doc

isthmus\._isthmus\.from_dlpack$:
    def from_dlpack(x: object, /, *, device: Device | str | None = None, copy: bool | None = None) -> Array:
        \doc

isthmus\._isthmus\.Array\.tobytes$:
    def tobytes(self, order: str = "C") -> bytes: ...

isthmus\._isthmus\.Array\.flags$:
    \from isthmus._attributes import Flags
    @property
    def flags(self) -> Flags:
        \doc

isthmus\._isthmus\.Array\.sycl_queue$:
    @property
    def sycl_queue(self) -> Any:
        \doc

isthmus\._isthmus\.Array\.usm_type$:
    @property
    def usm_type(self) -> str:
        \doc

isthmus\._isthmus\.Array\.__array_ufunc__$:
    def __array_ufunc__(self, ufunc: Any, method: str, /, *inputs: Any, **kwargs: Any) -> Any: ...

isthmus\._isthmus\.Array\.__array_function__$:
    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any, /) -> Any: ...

isthmus\._isthmus\._on_queue$:
    \from collections.abc import Callable
    def _on_queue(queue: object, function: Callable[..., Any], /, *args: object) -> Any:
        \doc

isthmus\._isthmus\._linalg\.qr$:
    \from typing import Literal, overload
    \from isthmus._results import QRResult
    @overload
    def qr(x: Array, /, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
        \doc

    @overload
    def qr(x: Array, /, mode: Literal["r"]) -> Array: ...

    @overload
    def qr(x: Array, /, mode: str) -> QRResult | Array: ...

isthmus\._isthmus\._linalg\.svd$:
    \from isthmus._results import SVDResult
    @overload
    def svd(
        x: Array, /, full_matrices: bool = True, compute_uv: Literal[True] = True
    ) -> SVDResult:
        \doc

    @overload
    def svd(x: Array, /, full_matrices: bool = True, *, compute_uv: Literal[False]) -> Array: ...

    @overload
    def svd(x: Array, /, full_matrices: bool, compute_uv: Literal[False]) -> Array: ...

    @overload
    def svd(
        x: Array, /, full_matrices: bool = True, compute_uv: bool = True
    ) -> SVDResult | Array: ...
