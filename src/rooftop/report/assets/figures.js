// Plotly's figures are drawn when they come into view, and again when the theme changes or they become narrow or wide.
const NARROW = 600; // CSS pixels of a figure's width
const figureStore = {};
for (const script of document.querySelectorAll("script[data-figures]")) {
  figureStore[script.dataset.figures] = JSON.parse(script.textContent);
}

function inTheme(figure) {
  if (!isDark()) return structuredClone(figure);
  return JSON.parse(JSON.stringify(figure), (_, value) =>
    typeof value === "string" && Object.hasOwn(lightToDark, value) ? lightToDark[value] : value);
}

function fitted(figure, plot) {
  const narrow = plot.clientWidth < NARROW;
  plot.dataset.narrow = String(narrow);
  if (!narrow) return figure;
  const { layout } = figure;
  if (plot.dataset.kind === "own") return figure; // it has its own margins
  layout.margin = { ...layout.margin, l: 40, r: 6 };
  layout.yaxis.title.font.size = 11;
  if (plot.dataset.kind === "staircase") {
    layout.xaxis.tickangle = -90;
    const places = layout.xaxis.tickvals.length;
    layout.xaxis.tickfont.size = places > 14 ? 9 : 10;
    for (const label of layout.annotations) if (label.name === "value" && places > 8) label.textangle = -90;
  } else {
    // long names do not fit beside their points: touching a point shows its name
    layout.annotations = layout.annotations.filter((label) => label.name !== "point" || label.text.length < 5);
  }
  return figure;
}

function draw(plot) {
  const stored = figureStore[plot.dataset.figure][plot.dataset.key][plot.dataset.kind];
  const figure = fitted(inTheme(stored), plot);
  plot.dataset.drawn = "true";
  Plotly.react(plot, figure.data, figure.layout, { responsive: true, displayModeBar: false });
}

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting && !entry.target.dataset.drawn) draw(entry.target);
  }
}, { rootMargin: "400px" });
const plots = document.querySelectorAll(".plot");
for (const plot of plots) seen.observe(plot);

function redraw() {
  for (const plot of plots) if (plot.dataset.drawn && plot.clientWidth) draw(plot);
}

document.addEventListener("themechange", redraw);
addEventListener("beforeprint", () => {
  for (const plot of plots) if (plot.clientWidth) draw(plot);
});
addEventListener("resize", () => {
  for (const plot of plots) {
    if (plot.dataset.drawn && plot.clientWidth && String(plot.clientWidth < NARROW) !== plot.dataset.narrow) draw(plot);
  }
});
