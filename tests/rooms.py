"""The house as its imports draw it: ``python -m tests.rooms`` prints floors, arrows and breaches of rules.

Every import counts, including those inside functions and under ``TYPE_CHECKING``. A *room* is a package of
device/.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[1]
FLOORS = ("device", "vision", "engines")
"""From the top down: each may import those after it."""
PURE = sys.stdlib_module_names | {"msgspec"}
"""The packages that engines/ may import from outside."""
GAMES = tuple(f"engines.{game}." for game in ("castles_of_tuscany", "marrakesh", "san_gimignano", "torres"))
"""What vision/ may not import: it looks at boards and pieces, and knows no game."""
IMPORT = re.compile(r"^[ \t]*(?:from [\w.]+ )?import (?:\([^)]*\)|[\w., \t]+)", re.M)

Graph = Mapping[str, frozenset[str]]


@cache
def sources() -> Mapping[str, Path]:
    """Return the file of each module; a package has its own name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for floor in FLOORS
        for path in sorted((ROOT / floor).rglob("*.py"))
    }


@cache
def packages() -> frozenset[str]:
    """Return the packages among the modules."""
    return frozenset(name for name, path in sources().items() if path.name == "__init__.py")


def imported(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the imports of a module's tree: those of the house by their full names, others as written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            assert node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def statements(text: str) -> ast.Module:
    """Parse only the import statements of a file, a twentieth of the work."""
    return ast.parse("\n".join(dedent(one) for one in IMPORT.findall(text)))


@cache
def imports() -> Graph:
    """Return each module's imports, of the house and from outside."""
    return {
        name: frozenset(imported(statements(path.read_text("utf-8")), sources())) - {name}
        for name, path in sources().items()
    }


def floor(module: str) -> str:
    """Return the floor, or the package from outside, of a module."""
    return module.partition(".")[0]


def upward(graph: Graph) -> list[tuple[str, str]]:
    """Return imports that point up, those of engines/ from outside, and those of games by vision/."""
    found = []
    for name, targets in graph.items():
        here = FLOORS.index(floor(name))
        for target in sorted(targets):
            there = floor(target)
            outside = FLOORS[here] == "engines" and there not in {"engines", *PURE}
            game = FLOORS[here] == "vision" and f"{target}.".startswith(GAMES)
            if there in FLOORS[:here] or outside or game:
                found.append((name, target))
    return found


def circles(graph: Graph) -> list[frozenset[str]]:
    """Return groups of modules that all reach each other, smallest first."""
    reach: dict[str, set[str]] = {}
    for name in graph:
        seen: set[str] = set()
        todo = [name]
        while todo:
            fresh = graph[todo.pop()] & graph.keys() - seen
            seen |= fresh
            todo += fresh
        reach[name] = seen
    groups = {frozenset(other for other in reach[name] if name in reach[other]) for name in graph}
    return sorted((group for group in groups if group), key=lambda group: (len(group), sorted(group)))


def past(graph: Graph) -> list[tuple[str, str]]:
    """Return imports of a module inside a room by one outside of it."""
    found = []
    for name, targets in graph.items():
        for target in sorted(targets):
            room = target.rpartition(".")[0]
            deep = target in sources() and target not in packages() and room.startswith("device.")
            if deep and not f"{name}.".startswith(f"{room}."):
                found.append((name, target))
    return found


def room(module: str) -> str:
    """Return the place of a module: its room of device/, a game's package, a part of the vision, or
    itself.
    """
    return ".".join(module.split(".")[:2])


def rooms(graph: Graph) -> Graph:
    """Return the same graph with rooms as its nodes."""
    found: dict[str, set[str]] = {}
    for name, targets in graph.items():
        there = {room(target) for target in targets if target in sources()}
        found.setdefault(room(name), set()).update(there - {room(name)})
    return {name: frozenset(targets) for name, targets in found.items()}


def floors(graph: Graph) -> Mapping[str, int]:
    """Return the height of each node: 1 without imports, otherwise one above the highest import.

    Nodes that import in a circle have one height.
    """
    leader = {name: min(group) for group in circles(graph) for name in group}
    joined: dict[str, set[str]] = {}
    for name, targets in graph.items():
        here = leader.get(name, name)
        joined.setdefault(here, set()).update({leader.get(target, target) for target in targets} - {here})
    height: dict[str, int] = {}
    for name in TopologicalSorter(joined).static_order():
        height[name] = 1 + max((height[below] for below in joined[name]), default=0)
    return {name: height[leader.get(name, name)] for name in graph}


def main() -> None:
    """Print the house from the top floor down, and every breach of a rule."""
    graph = imports()
    whole = rooms(graph)
    for name, height in sorted(floors(whole).items(), key=lambda item: (-item[1], item[0])):
        print(f"{height:3}  {name} → {', '.join(sorted(whole[name])) or 'nothing'}")
    print(f"\n{len(graph)} modules in {len(whole)} rooms")
    for group in (*circles(whole), *circles(graph)):
        print(f"circle: {', '.join(sorted(group))}")
    for title, arrows in (("up", upward(graph)), ("past a room's door", past(graph))):
        for name, target in arrows:
            print(f"{title}: {name} → {target}")


if __name__ == "__main__":
    main()
