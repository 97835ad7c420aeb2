// A run of a program: the slider, the source with the path on it, variables and steps.

class StoryView {
  constructor(story, source) {
    this.story = story;
    this.steps = story.steps;
    this.source = source;
    this.at = 0;
    this.folded = new Set();
    this.measure();
    this.build();
    this.source.onclick = (file, line) => this.visit(file, line);
  }

  // Where each call ends, which variables there are, and when they change.
  measure() {
    this.ends = new Map();
    const open = [];
    this.steps.forEach((step, index) => {
      if (step.kind === "call") open.push(index);
      if (step.kind === "return" && open.length) this.ends.set(open.pop(), index);
    });
    this.histories = new Map();
    const scopes = [];
    this.steps.forEach((step, index) => {
      if (step.kind === "call") scopes.push(index);
      if (step.variable && step.value !== null) {
        const scope = step.local ? `${step.function}#${scopes.length ? scopes[scopes.length - 1] : "-"}` : "";
        const key = scope + " " + step.variable;
        if (!this.histories.has(key)) {
          this.histories.set(key, { name: step.variable, scope: step.local ? step.function : "", depth: step.depth, from: index, to: Infinity, changes: [] });
        }
        this.histories.get(key).changes.push([index, step.value]);
      }
      if (step.kind === "return") {
        const call = scopes.pop();
        for (const [key, history] of this.histories) {
          if (key.startsWith(`${step.function}#${call ?? "-"} `) && history.to === Infinity) history.to = index;
        }
      }
    });
    this.visited = new Map();
    this.steps.forEach((step, index) => {
      if (!step.spot) return;
      const key = step.spot.file + ":" + step.spot.line;
      if (!this.visited.has(key)) this.visited.set(key, []);
      this.visited.get(key).push(index);
    });
    if (this.steps.length > 60) for (const [call] of this.ends) this.folded.add(call);
  }

  build() {
    const last = this.steps.length - 1;
    const button = (text, label, act) => el("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
    this.slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.output = el("output", {});
    this.player = el("div", { class: "player" },
      button("⇤", "First step (Home)", () => this.go(0)),
      button("◀", "Step back (left arrow)", () => this.go(this.at - 1)),
      button("▶", "Step (right arrow)", () => this.go(this.at + 1)),
      button("↷", "Over the call (n)", () => this.over(1)),
      button("⇥", "The violation (End)", () => this.go(last)),
      this.slider, this.output);
    this.now = el("p", { class: "now", "aria-live": "polite" });
    this.variables = el("tbody", {});
    this.count = el("small", {});
    this.list = el("ol", { class: "steps" });
    this.listBox = el("div", { class: "body", style: "max-height:38vh" }, this.list);
    this.listBox.addEventListener("scroll", () => this.drawList());
    this.side = el("div", {},
      el("div", { class: "panel" }, el("h2", {}, "Variables", this.count),
        el("div", { class: "body" }, el("table", { class: "variables" }, this.variables))),
      el("div", { class: "panel" }, el("h2", {}, "Steps",
        el("small", {}, el("button", { type: "button", onclick: () => this.foldAll() }, "fold calls"))), this.listBox));
  }

  go(step) {
    this.at = Math.min(this.steps.length - 1, Math.max(0, step));
    for (const [call, end] of this.ends) {
      if (this.folded.has(call) && call < this.at && this.at < end) this.folded.delete(call);
    }
    this.draw();
  }

  // To the step after a call, or back to before it.
  over(direction) {
    const end = this.ends.get(this.at);
    this.go(direction > 0 && end ? end : this.at + direction);
  }

  // To the next step in a line.
  visit(file, line) {
    const steps = this.visited.get(file + ":" + line);
    if (steps) this.go(steps.find((step) => step > this.at) ?? steps[0]);
  }

  foldAll() {
    if (this.folded.size) this.folded.clear();
    else for (const [call, end] of this.ends) if (!(call < this.at && this.at < end)) this.folded.add(call);
    this.visible = null;
    this.drawList(true);
  }

  draw() {
    const step = this.steps[this.at];
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `step ${this.at + 1}: ${step.text}`);
    this.output.textContent = `step ${this.at + 1} of ${this.steps.length}`;
    this.now.className = "now " + step.kind;
    this.now.replaceChildren(el("span", { class: "where" }, step.place + (step.function ? " in " + step.function : "")), step.text);
    this.drawSource(step);
    this.drawVariables();
    this.visible = null;
    this.drawList(true);
  }

  drawSource(step) {
    const source = this.source;
    source.clear();
    for (const [key] of this.visited) {
      const mark = source.mark(...key.split(":"));
      mark.classes.add("on");
      mark.classes.add("clickable");
    }
    // The latest value that each line gave, until now.
    const values = new Map();
    const first = Math.max(0, this.at - 3000);
    for (let index = first; index <= this.at; index++) {
      const told = this.steps[index];
      if (!told.spot) continue;
      const key = told.spot.file + ":" + told.spot.line;
      if (!values.has(key)) values.set(key, new Map());
      if (told.kind === "assignment" || told.kind === "choice") values.get(key).set(told.variable || told.kind, [told.text, index]);
      if (told.kind === "decision") values.get(key).set("decision", [told.text.replace(/^.*decided: /s, ""), index]);
    }
    for (const [key, told] of values) {
      const mark = source.mark(...key.split(":"));
      for (const [text, index] of told.values()) {
        mark.chips.push(() => el("span", { class: "chip" + (index === this.at ? " new" : "") }, text));
      }
    }
    const last = this.steps[this.steps.length - 1];
    if (last.spot) {
      const mark = source.mark(last.spot.file, last.spot.line);
      mark.classes.add("bad");
      mark.chips.push(() => el("span", { class: "chip violation" }, last.text));
    }
    if (step.spot) {
      source.mark(step.spot.file, step.spot.line).classes.add("here");
      source.show(step.spot.file, step.spot.line);
    } else {
      source.draw(true);
    }
  }

  drawVariables() {
    const rows = [];
    for (const history of this.histories.values()) {
      const known = history.changes.filter(([index]) => index <= this.at);
      if (!known.length) continue;
      const [when, value] = known[known.length - 1];
      rows.push({ history, value, when, gone: history.to < this.at });
    }
    // What changed last comes first; what no longer exists comes last.
    rows.sort((a, b) => a.gone - b.gone || b.when - a.when);
    this.count.textContent = rows.length ? `${rows.filter((row) => !row.gone).length} in scope` : "";
    const shown = rows.slice(0, 200);
    this.variables.replaceChildren(...shown.map(({ history, value, when, gone }) =>
      el("tr", { class: (when === this.at ? "new" : "") + (gone ? " gone" : "") },
        el("td", {}, history.name, history.scope ? el("span", { class: "soft" }, "  " + history.scope) : null),
        el("td", { class: "value", title: value }, value),
        el("td", {}, spark(history.changes, this.steps.length, this.at)))));
    if (!shown.length) this.variables.replaceChildren(el("tr", {}, el("td", { class: "soft" }, "no value yet")));
  }

  // The steps that are not inside a folded call.
  rows() {
    if (this.visible) return this.visible;
    const rows = [];
    for (let index = 0; index < this.steps.length; index++) {
      if (this.story.omitted && index === this.story.omitted_after) rows.push(-1);
      rows.push(index);
      if (this.folded.has(index)) index = this.ends.get(index) - 1;
    }
    this.visible = rows;
    return rows;
  }

  drawList(follow) {
    const HEIGHT = 22;
    const rows = this.rows();
    if (follow) {
      const at = rows.indexOf(this.at);
      const top = at * HEIGHT;
      const height = this.listBox.clientHeight || 300;
      if (top < this.listBox.scrollTop || top > this.listBox.scrollTop + height - 2 * HEIGHT) {
        this.list.style.paddingTop = "0px";
        this.list.style.paddingBottom = rows.length * HEIGHT + "px";
        this.listBox.scrollTop = Math.max(0, top - height / 2);
      }
    }
    const first = Math.max(0, Math.floor(this.listBox.scrollTop / HEIGHT) - 20);
    const last = Math.min(rows.length, first + Math.ceil((this.listBox.clientHeight || 300) / HEIGHT) + 60);
    if (!follow && this.listed && this.listed[0] === first) return;
    this.listed = [first, last];
    this.list.style.paddingTop = first * HEIGHT + "px";
    this.list.style.paddingBottom = (rows.length - last) * HEIGHT + "px";
    this.list.replaceChildren(...rows.slice(first, last).map((index) => this.item(index)));
  }

  item(index) {
    if (index < 0) return el("li", { class: "gap", style: "--depth:0;height:22px" }, `${this.story.omitted} steps left out`);
    const step = this.steps[index];
    const end = this.ends.get(index);
    const fold = end ? el("button", { type: "button", "aria-label": "Fold or unfold the call", onclick: (event) => {
      event.stopPropagation();
      if (!this.folded.delete(index)) this.folded.add(index);
      this.visible = null;
      this.drawList(true);
    } }, this.folded.has(index) ? `+${end - index - 1}` : "–") : null;
    return el("li", { class: step.kind + (index === this.at ? " here" : ""), style: `--depth:${Math.min(12, step.depth)};height:22px;overflow:hidden;white-space:nowrap`, title: step.text, onclick: () => this.go(index) },
      el("span", { class: "line" }, step.spot ? String(step.spot.line) : ""), el("span", { class: "what" }, step.text), fold);
  }
}

// How a value changes, as a small line; nothing for values that are no numbers.
function spark(changes, length, now) {
  const numbers = changes.map(([index, value]) => [index, Number.parseFloat(value)]).filter(([, value]) => Number.isFinite(value));
  if (numbers.length < 2) return "";
  const width = 90, height = 18;
  const values = numbers.map(([, value]) => value);
  const low = Math.min(...values), high = Math.max(...values);
  const x = (index) => (index / Math.max(1, length - 1)) * (width - 2) + 1;
  const y = (value) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4);
  let path = `M${x(numbers[0][0])} ${y(numbers[0][1])}`;
  for (const [index, value] of numbers.slice(1)) path += `H${x(index).toFixed(1)}V${y(value).toFixed(1)}`;
  path += `H${width - 1}`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `from ${low} to ${high}` },
    svg("line", { x1: x(now), x2: x(now), y1: 0, y2: height, stroke: "var(--link)", "stroke-opacity": ".5" }),
    svg("path", { d: path, fill: "none", stroke: "var(--blue)", "stroke-width": 1.4 }));
}
