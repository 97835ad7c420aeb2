// The tables of the front page.

const data = JSON.parse(document.getElementById("data").textContent);
const seconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0)) + " s";

table(document.getElementById("summary"), {
  filter: false,
  columns: [
    { name: "engine", value: (row) => row.engine },
    { name: "category", value: (row) => row.category },
    { name: "runs", number: true, value: (row) => row.runs },
    { name: "solved", number: true, value: (row) => row.correct_proofs + row.correct_alarms + row.unconfirmed },
    { name: "proofs", number: true, value: (row) => row.correct_proofs },
    { name: "alarms", number: true, value: (row) => row.correct_alarms },
    { name: "unconfirmed", number: true, value: (row) => row.unconfirmed },
    { name: "wrong", number: true, value: (row) => row.wrong, class: (row) => (row.wrong ? "wrong-cell" : "") },
    { name: "timeouts", number: true, value: (row) => row.timeouts },
    { name: "out of memory", number: true, value: (row) => row.out_of_memory },
    { name: "other", number: true, value: (row) => row.other },
    { name: "CPU time", number: true, value: (row) => row.cpu_seconds, show: (row) => seconds(row.cpu_seconds) },
  ],
  rows: data.summary,
});

const pairs = document.getElementById("pairs");
if (pairs) {
  table(pairs, {
    filter: false,
    columns: [
      { name: "engines", value: (row) => row.first + " and " + row.second, link: (row) => row.plot },
      { name: "both solved", number: true, value: (row) => row.both },
      { name: "only the first", number: true, value: (row) => row.only_first },
      { name: "only the second", number: true, value: (row) => row.only_second },
      { name: "time ratio", number: true, value: (row) => row.ratio ?? -1, show: (row) => (row.ratio === null ? "–" : row.ratio.toFixed(2)) },
    ],
    rows: data.pairs,
  });
}

const solved = (run) => run && ["correct proof", "correct alarm", "unconfirmed"].includes(run.judgement);
const words = { "correct proof": "proof", "correct alarm": "alarm", "out of memory": "memory" };
const shown = (run) => {
  if (!run) return "–";
  const word = run.judgement === "unconfirmed" ? run.outcome : run.judgement === "other" ? run.outcome : words[run.judgement] || run.judgement;
  return word;
};
table(document.getElementById("runs"), {
  filter: true,
  choices: [
    { name: "all tasks", test: () => true },
    { name: "solved by all", test: (row) => row.runs.every(solved) },
    { name: "solved by some, not by all", test: (row) => row.runs.some(solved) && !row.runs.every(solved) },
    { name: "solved by none", test: (row) => !row.runs.some(solved) },
    { name: "wrong", test: (row) => row.runs.some((run) => run && run.judgement === "WRONG") },
    ...data.engines.map((engine, index) => ({ name: "only " + engine, test: (row) => row.runs.every((run, at) => solved(run) === (at === index) || (!run && at !== index)) })),
  ],
  columns: [
    { name: "task", value: (row) => row.name },
    { name: "category", value: (row) => row.category },
    { name: "expected", value: (row) => row.expected },
    ...data.engines.map((engine, index) => ({
      name: engine,
      value: (row) => (solved(row.runs[index]) ? row.runs[index].seconds : row.runs[index] ? data.limit * 2 + row.runs[index].seconds : 1e12),
      text: (row) => engine + ":" + shown(row.runs[index]) + " " + (row.runs[index]?.reason ?? ""),
      show: (row) => shown(row.runs[index]),
      after: (row) => (row.runs[index] ? seconds(row.runs[index].seconds) : ""),
      title: (row) => (row.runs[index] ? `${row.runs[index].reason || row.runs[index].outcome}, ${Math.round(row.runs[index].bytes / 1e6)} MB` : "not run"),
      class: (row) => (!row.runs[index] ? "open" : row.runs[index].judgement === "WRONG" ? "wrong-cell" : solved(row.runs[index]) ? "good" : "open"),
      link: (row) => row.runs[index]?.report,
    })),
  ],
  rows: data.tasks,
});
