// How the engine went: sizes and bounds over time, members on a timeline, frames.

// A chart with a grid: points as dots or steps over seconds.
function chart(title, points, options) {
  const width = 760, height = 230, left = 62, right = 16, top = 30, bottom = 36;
  const most = Math.max(1e-9, ...points.map(([x]) => x));
  const high = Math.max(1e-9, ...points.map(([, y]) => y));
  const x = (value) => left + (value / most) * (width - left - right);
  const log = options.log && high > 200;
  const scaled = (value) => (log ? Math.log10(Math.max(1, value)) / Math.log10(high) : value / high);
  const y = (value) => height - bottom - scaled(value) * (height - top - bottom);
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title }, svg("text", { class: "title", x: left, y: 18 }, title));
  const rows = log ? Array.from({ length: Math.floor(Math.log10(high)) + 1 }, (_, power) => Math.pow(10, power)) : marks(high, 4);
  for (const mark of rows) {
    picture.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(mark), y2: y(mark) }), svg("text", { x: left - 8, y: y(mark) + 4, "text-anchor": "end" }, shownNumber(mark)));
  }
  for (const mark of marks(most, 6)) {
    picture.append(svg("line", { class: "grid", x1: x(mark), x2: x(mark), y1: top, y2: height - bottom }), svg("text", { x: x(mark), y: height - bottom + 16, "text-anchor": "middle" }, mark === 0 ? "0" : shownSeconds(mark)));
  }
  picture.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
  if (options.steps) {
    let path = `M${x(0)} ${y(0)}`;
    for (const [at, value] of points) path += `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`;
    picture.append(svg("path", { class: "one", d: path + `H${width - right}` }));
  } else {
    for (const [at, value, note] of points) picture.append(svg("circle", { class: "dot", cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: points.length > 300 ? 2 : 3.2 }, svg("title", {}, note || `${shownNumber(value)} at ${shownSeconds(at)}`)));
  }
  return picture;
}

function courseView(course, interpolants) {
  const section = el("div", {});
  const sizes = [];
  let before = { interpolants: 0, size: 0 };
  for (const sample of course) {
    const more = sample.interpolants - before.interpolants;
    if (more > 0) {
      const size = (sample.size - before.size) / more;
      sizes.push([sample.seconds, size, `${shownNumber(size)} each, ${more} at ${shownSeconds(sample.seconds)}, bound ${sample.bound}`]);
      before = sample;
    }
  }
  if (sizes.some(([, size]) => size > 0)) section.append(chart("Size of interpolants over time", sizes, { log: true }));
  if (course.length > 1) section.append(chart("Bound, or depth, over time", course.map((sample) => [sample.seconds, sample.bound]), { steps: true }));
  const last = course[course.length - 1];
  if (last && last.refinements > 0) section.append(chart("Refinements over time", course.map((sample) => [sample.seconds, sample.refinements]), { steps: true }));
  if (interpolants.length) {
    const body = el("tbody", {});
    interpolants.forEach((found, index) => body.append(el("tr", {},
      el("td", { class: "number" }, found.is_fixed_point ? "fixed point" : String(index + 1)), el("td", { class: "number" }, String(found.bound)), el("td", { class: "number" }, shownNumber(found.size)), el("td", {}, el("code", {}, found.formula)))));
    section.append(el("h2", {}, "Interpolants"), el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...["no.", "bound", "gates"].map((name) => el("th", { class: "number" }, name)), el("th", {}, "formula"))), body)));
  }
  return section;
}

function framesView(frames) {
  const most = Math.max(1, ...frames.map((frame) => frame.lemmas));
  const list = el("div", {}, el("p", { class: "soft" }, "Lemmas that hold up to a frame and are not known to hold beyond; those in the last frame hold forever."));
  frames.forEach((frame) => {
    const bar = el("span", { style: `display:inline-block;height:.7em;background:var(--blue);width:${((frame.lemmas / most) * 40).toFixed(2)}%;min-width:1px;border-radius:2px;margin-right:.6em` });
    const box = el("details", {}, el("summary", {}, el("strong", { style: "display:inline-block;min-width:5.5em" }, frame.name === "∞" ? "forever" : `frame ${frame.name}`), bar, `${frame.lemmas} lemma${frame.lemmas === 1 ? "" : "s"}`));
    box.addEventListener("toggle", () => {
      if (box.open && box.children.length === 1) {
        box.append(el("ul", { class: "formulas" }, ...frame.shown.map((lemma) => el("li", {}, el("code", {}, lemma))), frame.lemmas > frame.shown.length ? el("li", { class: "soft" }, `and ${frame.lemmas - frame.shown.length} more`) : null));
      }
    });
    list.append(box);
  });
  return list;
}

// When each member of the portfolio had a processor.
function timeline(members) {
  const shown = members.filter((member) => member.turns.length);
  const waiting = members.length - shown.length;
  const row = 26, left = 150, width = 860, right = 150, top = 34;
  const height = top + shown.length * row + 30;
  const most = Math.max(1e-6, ...shown.flatMap((member) => member.turns.map(([, to]) => to)));
  const x = (value) => left + (value / most) * (width - left - right);
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Members of the portfolio over time" }, svg("text", { class: "title", x: 8, y: 18 }, "Who had a processor, and when"));
  for (const mark of marks(most, 7)) picture.append(svg("line", { class: "grid", x1: x(mark), x2: x(mark), y1: top - 6, y2: height - 24 }), svg("text", { x: x(mark), y: height - 8, "text-anchor": "middle" }, mark === 0 ? "0" : shownSeconds(mark)));
  shown.forEach((member, index) => {
    const y = top + index * row;
    picture.append(svg("text", { class: "engine", x: left - 10, y: y + 14, "text-anchor": "end" }, member.engine));
    for (const [from, to] of member.turns) {
      picture.append(svg("rect", { class: member.answered ? "won" : member.end === "stopped" ? "bar" : "ended", x: x(from).toFixed(1), y: y + 2, width: Math.max(1.2, x(to) - x(from)).toFixed(1), height: row - 10, rx: 2 }, svg("title", {}, `${member.engine}: ${shownSeconds(from)} to ${shownSeconds(to)}`)));
    }
    const end = Math.max(...member.turns.map(([, to]) => to));
    const text = member.answered ? "answered" : member.end;
    picture.append(svg("text", { x: Math.min(x(end) + 8, width - right + 8), y: y + 14 }, svg("title", {}, text), text.length > 22 ? text.slice(0, 21) + "…" : text));
  });
  const body = el("tbody", {}, ...members.map((member) => el("tr", {}, el("td", {}, member.engine), el("td", { class: "number" }, shownSeconds(member.seconds)), el("td", {}, member.answered ? "answered" : member.end), el("td", { class: "soft" }, member.note))));
  return el("div", {}, picture, waiting ? el("p", { class: "soft" }, `${waiting} had no turn.`) : null,
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, "engine"), el("th", { class: "number" }, "time"), el("th", {}, "end"), el("th", {}, "")) ), body)));
}

function figuresView(groups) {
  return el("div", { class: "figures" }, ...groups.map((group) => el("div", { class: "panel" }, el("h2", {}, group.name),
    el("table", {}, el("tbody", {}, ...group.rows.map((row) => el("tr", {}, el("td", {}, row.name), el("td", {}, row.value), el("td", {}, row.unit))))))));
}
