"""The loops of a kernel's blocks, as the translator meets them in program order.

A block has been translated when its successor is, unless the edge leads back. What holds at the end of the
earlier predecessors then holds at the block's beginning too, but for what changes on the way round to it.
"""

from __future__ import annotations

from anyhip.backends.virtual.cfg import ControlFlow, predecessors

__all__ = ["Loops"]


class Loops:
    """Predecessors and loop bodies, by block.

    Attributes:
        predecessors: of every block.
        within: the blocks on all ways from a block round to itself along edges that lead back to it; empty
            where none do; None where such an edge is reached by ways that avoid the block.
    """

    def __init__(self, flow: ControlFlow) -> None:
        self.flow = flow
        self.predecessors = predecessors(flow)
        self.within = {pc: self._body(pc) for pc in flow.blocks}

    def _body(self, head: int) -> set[int] | None:
        work = [pc for pc in self.predecessors[head] if pc >= head]
        body = {head} if work else set()
        while work:
            pc = work.pop()
            if pc in body:
                continue
            if pc == self.flow.entry or not self.predecessors[pc]:
                return None
            body.add(pc)
            work += self.predecessors[pc]
        return body

    def earlier(self, pc: int) -> list[int]:
        """The predecessors that lie before the block."""
        return [before for before in self.predecessors[pc] if before < pc]

    def instructions(self, pc: int) -> set[int]:
        """Addresses of the instructions on the ways round to a block."""
        blocks = self.flow.blocks
        return {i.pc for body in self.within[pc] or () for i in blocks[body].instructions}
