"""The tables of exchange: every pair of peers with times, and a summary with one row a library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peers import Peer, Proof, best_time, prove

REFUSALS = (BufferError, TypeError, ValueError, RuntimeError)


def hand_over(giver: Peer, taker: Peer) -> tuple[Proof, Callable[[], Any]]:
    """What was proved of a new array, and the call that hands it over."""
    given = giver.make()
    take = taker.take if giver.has_dtype or not taker.take_bytes else taker.take_bytes
    proof = prove(giver, given, taker, take(given))
    if not (proof.is_shared or proof.is_copy):
        raise AssertionError(f"{giver.name} to {taker.name}: {proof}")
    return proof, lambda: take(given)


def measure(giver: Peer, taker: Peer) -> str:
    """One cell of the full table: what was proved, and what it costs."""
    try:
        proof, call = hand_over(giver, taker)
    except REFUSALS as error:
        return f"refused: {type(error).__name__}"
    marks = ("=" if proof.is_same_address else "") + (
        (">" if proof.is_giver_heard else "") + ("<" if proof.is_taker_heard else "")
    )
    return f"{proof.verdict} {marks} {best_time(call) * 1e6:.2f} us".replace("  ", " ")


def verdict(giver: Peer, taker: Peer) -> str:
    """What was proved, without times."""
    try:
        proof, _ = hand_over(giver, taker)
    except REFUSALS as error:
        return f"refused: {type(error).__name__}"
    is_read_only = proof.is_shared and proof.is_taker_heard is None
    return proof.verdict + (", read-only" if is_read_only else "")


def summary(here: list[Peer]) -> list[list[str]]:
    """One row a library: into Isthmus and out of it, on each device that both work on."""
    rows: dict[str, tuple[set[str], set[str]]] = {}
    calls = {}
    for peer in here:
        if peer.library == "Isthmus" or peer.is_giver_only:
            continue
        into, out = rows.setdefault(peer.library, (set(), set()))
        calls[peer.library] = (peer.into_call, peer.out_call)
        for ours in here:
            if ours.library == "Isthmus" and f"{ours.device}:".startswith(f"{peer.device}:"):
                into.add(verdict(peer, ours))
                out.add(verdict(ours, peer))
    body = []
    for library, sets in rows.items():
        verdicts = (" or ".join(sorted(found)) for found in sets)
        cells = (f"{v}: `{call}`" for v, call in zip(verdicts, calls[library], strict=True))
        body.append([library, *cells])
    return [["library", "into Isthmus", "out of Isthmus"], *body]


def table(here: list[Peer]) -> list[list[str]]:
    """Rows give, columns take."""
    takers = [peer for peer in here if not peer.is_giver_only]
    head = ["from \\ to", *(peer.name for peer in takers)]
    return [head, *([giver.name, *(measure(giver, t) for t in takers)] for giver in here)]


def as_markdown(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


LEGEND = (
    "Rows give, columns take. = is the same address or buffer, > a write by the giver that the "
    "taker read, < one by the taker that the giver read; JAX's arrays are immutable, so it cannot "
    "write."
)
