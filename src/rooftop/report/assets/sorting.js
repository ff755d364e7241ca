// Sort a table by a column's heading: ascending, then descending. Cells without a value come last in both.
function cellValue(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.value === undefined) return cell.textContent.trim();
  return cell.dataset.value === "" ? null : Number(cell.dataset.value);
}

function sortBy(table, heading) {
  const column = heading.cellIndex;
  const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const rows = Array.from(table.tBodies[0].rows, (row) => ({ row, value: cellValue(row, column) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    if (typeof a.value === "number") return sign * (a.value - b.value);
    return sign * a.value.localeCompare(b.value, "en", { numeric: true });
  });
  table.tBodies[0].append(...rows.map(({ row }) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const button of table.querySelectorAll("thead button")) {
    button.addEventListener("click", () => sortBy(table, button.closest("th")));
  }
}
