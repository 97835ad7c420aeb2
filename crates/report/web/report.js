// The tabs, and the keys.

const tabs = [];
const nav = document.querySelector("nav");
const main = document.querySelector("main");

function tab(name, count, content, extra) {
  const id = name.toLowerCase().replace(/[^a-z]+/g, "-");
  const section = el("section", { id: "part-" + id, role: "tabpanel", "aria-labelledby": "tab-" + id, hidden: true }, content);
  const button = el("button", { type: "button", role: "tab", id: "tab-" + id, "aria-controls": "part-" + id, "aria-selected": "false", onclick: () => choose(id) }, name, count ? el("span", { class: "count" }, String(count)) : null);
  nav.append(button);
  main.append(section);
  tabs.push({ id, button, section, key: () => false, open: () => {}, ...extra });
}

let current = null;
function choose(id) {
  for (const one of tabs) {
    const is = one.id === id;
    one.section.hidden = !is;
    one.button.setAttribute("aria-selected", String(is));
    one.button.tabIndex = is ? 0 : -1;
    if (is) {
      current = one;
      one.open();
    }
  }
  try {
    history.replaceState(null, "", "#" + id);
  } catch (_) {
    // Some viewers have no address.
  }
}

let source = null;
let story = null;
if (data.sources.length) {
  source = new SourceView(data.sources);
  if (data.story) {
    story = new StoryView(data.story, source);
    const steps = data.story.steps.length;
    tab("Path", steps, el("div", {}, story.player, story.now, el("div", { class: "split" }, el("div", {}, source.tools, source.box), story.side)), {
      open: () => story.draw(),
      key: (key) => playerKey(key, story, steps - 1) || (key === "n" && (story.over(1), true)),
      search: source.search,
    });
  } else {
    const known = el("ul", { class: "formulas" });
    for (const invariant of data.invariants) {
      if (invariant.spot) {
        const mark = source.mark(invariant.spot.file, invariant.spot.line);
        mark.classes.add("loop");
        mark.chips.push(() => el("span", { class: "chip invariant", title: invariant.formula }, invariant.formula));
      }
      const trivial = invariant.formula === "1";
      known.append(el("li", {},
        el("button", { type: "button", disabled: !invariant.spot, onclick: () => source.show(invariant.spot.file, invariant.spot.line) }, `${invariant.function}, line ${invariant.spot ? invariant.spot.line : invariant.place}`),
        el("code", {}, trivial ? "true: nothing is needed here" : invariant.formula),
        invariant.weakened ? el("span", { class: "soft" }, "The proof says more than can be written in C.") : null));
    }
    const none = data.outcome === "true" ? "The proof needs no invariant of a loop, or it cannot be said in terms of the source." : "No invariants are known.";
    const side = el("div", {}, el("div", { class: "panel" }, el("h2", {}, "Loop invariants", el("small", {}, String(data.invariants.length))), data.invariants.length ? known : el("p", { class: "soft", style: "padding:0 .7rem" }, none)));
    tab("Source", data.invariants.length, el("div", { class: "split" }, el("div", {}, source.tools, source.box), side), {
      open: () => {
        const first = data.invariants.find((invariant) => invariant.spot);
        if (first && !source.opened) source.show(first.spot.file, first.spot.line);
        source.opened = true;
        source.draw(true);
      },
      search: source.search,
    });
  }
}
const showSpot = source && ((spot) => {
  choose(tabs[0].id);
  source.found = spot.line - 1;
  source.show(spot.file, spot.line);
});

if (data.waveform) {
  const wave = new WaveView(data.waveform);
  tab("Waveform", data.waveform.steps, el("div", {}, wave.player, wave.tools, wave.box), {
    open: () => wave.draw(),
    key: (key) => playerKey(key, wave, data.waveform.steps - 1) || (key === "+" && (wave.zoom(1.5), true)) || (key === "-" && (wave.zoom(1 / 1.5), true)),
    search: wave.search,
  });
}
if (data.clauses.length) {
  const list = el("ul", { class: "formulas" });
  const filter = el("input", { type: "search", placeholder: "Find clauses ( / )", "aria-label": "Find clauses", oninput: () => fill() });
  const fill = () => {
    const fitting = data.clauses.filter((clause) => clause.toLowerCase().includes(filter.value.toLowerCase()));
    list.replaceChildren(...fitting.slice(0, 500).map((clause) => el("li", {}, el("code", {}, clause))));
  };
  fill();
  tab("Invariant", data.clauses.length + data.more_clauses, el("div", {}, el("p", {}, "All of these hold in every state that can be reached; they are inductive together, and exclude the bad states."), el("div", { class: "tools" }, filter), list,
    data.more_clauses ? el("p", { class: "soft" }, `${data.more_clauses} more are in the certificate (--certificate).`) : null), { search: filter });
}
function graphTab(name, graph, options, legend) {
  const view = new GraphView(graph, options);
  tab(name, graph.nodes.length, el("div", {}, view.tools, view.box, legend, view.detail), { open: () => view.open(), key: (key) => view.key(key), search: view.search });
}
const legendOf = (...kinds) => el("div", { class: "legend" }, ...kinds.map(([kind, text]) => el("span", {}, el("i", { class: kind }), text)));
if (data.automaton && data.automaton.nodes.length > 1) {
  graphTab("Automaton", data.automaton, { id: "automaton", label: "Control-flow automaton", show: showSpot }, legendOf(["head", "head of a loop"], ["error", "error"], ["limit", "end of the model"]));
}
if (data.reached && data.reached.nodes.length) {
  graphTab("Reachability graph", data.reached, { id: "reached", label: "Abstract reachability graph", formulas: true, show: showSpot }, legendOf(["covered", "covered by another node"], ["head", "head of a loop"]));
}
if (data.frames.length) tab("Frames", data.frames.length, framesView(data.frames));
if (data.course.length > 1 || data.interpolants.length) tab("Course", null, courseView(data.course, data.interpolants));
if (data.members.length) tab("Portfolio", data.members.length, timeline(data.members));
if (data.figures.length) tab("Figures", null, figuresView(data.figures));

nav.append(el("button", { class: "theme", type: "button", title: "Light or dark (d)", "aria-label": "Light or dark", onclick: () => turn() }, "◐"));
function turn() {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}

function playerKey(key, view, last) {
  const to = { ArrowRight: view.at + 1, ArrowLeft: view.at - 1, Home: 0, End: last, PageDown: view.at + 10, PageUp: view.at - 10 }[key];
  if (to === undefined) return false;
  view.go(to);
  return true;
}

const KEYS = [["← →", "step back, step"], ["n", "over a call"], ["PgUp PgDn", "ten steps"], ["Home End", "first and last step"], ["1 … 9, [ ]", "tabs"], ["/", "find"], ["+ − 0", "zoom"], ["d", "light or dark"], ["?", "this list"]];
const help = el("dialog", {}, el("h2", {}, "Keys"), el("table", {}, el("tbody", {}, ...KEYS.map(([key, what]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, what))))), el("form", { method: "dialog" }, el("p", {}, el("button", {}, "Close"))));
document.body.append(help);

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), select, textarea");
  if (event.key === "Escape" && typing) return event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const at = tabs.indexOf(current);
  if (event.key === "/" && current.search) current.search.focus();
  else if (event.key === "?") help.showModal();
  else if (event.key === "d") turn();
  else if (event.key === "[" || event.key === "]") choose(tabs[(at + (event.key === "]" ? 1 : tabs.length - 1)) % tabs.length].id);
  else if (event.target.getAttribute && event.target.getAttribute("role") === "tab" && /^Arrow(Left|Right)$/.test(event.key)) {
    const next = tabs[(at + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
    choose(next.id);
    next.button.focus();
  } else if (/^[1-9]$/.test(event.key) && tabs[Number(event.key) - 1]) choose(tabs[Number(event.key) - 1].id);
  else if (!current.key(event.key)) return;
  event.preventDefault();
});

if (tabs.length) {
  const wanted = location.hash.slice(1);
  choose(tabs.some((one) => one.id === wanted) ? wanted : tabs[0].id);
  if (story) story.go(story.steps.length - 1);
}
