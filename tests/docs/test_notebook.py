"""The notebook of the documents runs from top to bottom, and every cell shows what it says."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
HEAVIEST = 60_000  # bytes of a cell's output


def test_the_notebook_is_kept_without_outputs() -> None:
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)


@pytest.mark.thorough("compiles chess and a recorder, and starts a kernel")
def test_every_cell_of_the_notebook_draws_what_it_says(tmp_path: Path) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0].outputs == []  # the imports
    for cell in code[1:]:
        (output,) = cell.outputs
        shown = output.data.get("text/html") or output.data.get("image/svg+xml")
        assert shown and "<svg" in shown, cell.source
        assert len(shown.encode()) < HEAVIEST, cell.source
