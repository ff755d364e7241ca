// Show one case at a time, chosen in the list above the figures or by a link in the table of cases.
function showCase(experiment, name) {
  for (const view of document.querySelectorAll(".view")) {
    if (view.dataset.of === experiment) view.hidden = view.dataset.view !== name;
  }
  // redraw: theme or width may have changed while these were hidden
  for (const plot of document.querySelectorAll(".view:not([hidden]) .plot[data-drawn]")) {
    if (plot.dataset.figure === experiment) draw(plot);
  }
}

for (const select of document.querySelectorAll("select[data-choice]")) {
  select.value = select.options.length ? select.options[0].value : ""; // browsers restore the last choice on reload
  select.addEventListener("change", () => showCase(select.dataset.choice, select.value));
}
for (const link of document.querySelectorAll("a[data-show]")) {
  link.addEventListener("click", () => {
    const select = document.getElementById(`${link.dataset.in}-select`);
    select.value = link.dataset.show;
    showCase(link.dataset.in, link.dataset.show);
    select.focus({ preventScroll: true });
  });
}
