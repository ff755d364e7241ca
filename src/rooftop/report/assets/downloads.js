// Downloads, made from the document in the page; nothing is fetched. CSV follows RFC 4180.
const climbText = document.getElementById("climb-document").textContent;

function csv(rows) {
  const field = (value) => {
    const words = value === null || value === undefined ? "" : String(value);
    const text = typeof value === "string" && /^[=+@\t\r-]/.test(words) ? `'${words}` : words; // no formula begins
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function everyRung(climb) {
  return climb.experiments.flatMap((experiment) => experiment.cases.flatMap((found) =>
    found.rungs.map((rung) => ({ experiment, found, rung }))));
}

const RUNG_FIELDS = ["name", "kind", "outcome", "reason", "median_s", "lo_s", "hi_s", "rate", "rate_unit", "limit",
  "limit_by", "roof_fraction", "error", "tolerance", "algorithm", "iterations", "threads"];
const COMPARISONS = ["vs_below", "vs_best_peer"];
const COMPARISON_FIELDS = ["against", "ratio", "lo", "hi", "pairs", "verdict", "floor"];

const makers = {
  // one line per sample; a rung without samples has one line with the reason
  samples: (climb) => ["text/csv", csv([
    ["campaign", "experiment", "size", "case", "rung", "kind", "outcome", "reason", "runs_per_sample", "sample", "seconds_per_run"],
    ...everyRung(climb).flatMap(({ experiment, found, rung }) => {
      const key = [climb.campaign, experiment.name, experiment.size, found.case, rung.name, rung.kind, rung.outcome,
        rung.reason, rung.iterations];
      if (!rung.samples_s.length) return [[...key, null, null]];
      return rung.samples_s.map((seconds, at) => [...key, at, seconds]);
    })])],
  results: (climb) => ["text/csv", csv([
    ["campaign", "experiment", "size", "case", ...RUNG_FIELDS.map((name) => (name === "name" ? "rung" : name)), "samples",
      ...COMPARISONS.flatMap((name) => COMPARISON_FIELDS.map((field) => `${name}_${field}`))],
    ...everyRung(climb).map(({ experiment, found, rung }) => [climb.campaign, experiment.name, experiment.size, found.case,
      ...RUNG_FIELDS.map((name) => rung[name]), rung.samples_s.length,
      ...COMPARISONS.flatMap((name) => COMPARISON_FIELDS.map((field) => rung[name]?.[field]))])])],
  document: () => ["application/json", climbText],
  // Trace Event Format, read by Perfetto: one process per rank of each rung, times in microseconds
  traces: (climb) => {
    const processes = everyRung(climb).flatMap(({ found, rung }) =>
      (rung.timeline ?? []).map((events, rank) => ({ name: `${rung.name}, ${found.case}, rank ${rank}`, events })));
    return ["application/json", JSON.stringify({
      displayTimeUnit: "ms",
      traceEvents: processes.flatMap(({ name, events }, pid) => [
        { name: "process_name", ph: "M", pid, args: { name } },
        ...events.map(([phase, step, begin, end]) => ({ name: phase, cat: phase, ph: "X", ts: begin * 1e6,
          dur: (end - begin) * 1e6, pid, tid: phase === "exchange" ? 1 : 0, args: { step } })),
      ]),
    })];
  },
};

for (const link of document.querySelectorAll("a[data-download]")) {
  link.addEventListener("click", () => {
    if (link.href.startsWith("blob:")) return;
    const [type, text] = makers[link.dataset.download](JSON.parse(climbText));
    link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  });
}
