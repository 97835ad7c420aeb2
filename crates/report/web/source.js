// The source as rows that are made when they come into sight: a driver of 30,000 lines has as many
// elements on the page as a small program.

const ROW = 20;

class SourceView {
  constructor(files) {
    this.files = files.map((file) => ({ name: file.name, lines: file.text.split("\n"), states: null }));
    this.file = 0;
    this.marks = new Map();
    this.onclick = () => {};
    this.rows = el("div", { class: "rows" });
    this.box = el("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source" }, this.rows);
    this.box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw(true)).observe(this.box);
    this.picker = el("select", { "aria-label": "File", onchange: () => this.open(Number(this.picker.value)) });
    this.files.forEach((file, index) => this.picker.append(el("option", { value: index }, file.name)));
    this.search = el("input", { type: "search", placeholder: "Find in source ( / )", "aria-label": "Find in source" });
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.find(event.shiftKey ? -1 : 1);
    });
    this.line = el("input", { type: "search", inputmode: "numeric", placeholder: "Line", "aria-label": "Go to line", style: "flex:none;width:6em" });
    this.line.addEventListener("change", () => this.show(this.file, Number(this.line.value)));
    this.tools = el("div", { class: "tools" },
      this.files.length > 1 ? this.picker : el("code", {}, this.files[0] ? this.files[0].name : ""),
      this.search, this.line,
      el("span", { class: "soft" }, this.files[0] ? `${this.files[0].lines.length} lines` : ""));
  }

  open(file) {
    if (file !== this.file) {
      this.file = file;
      this.picker.value = file;
      this.box.scrollTop = 0;
    }
    this.draw(true);
  }

  // What is beside a line: classes of the row and chips.
  mark(file, line) {
    const key = file + ":" + line;
    if (!this.marks.has(key)) this.marks.set(key, { classes: new Set(), chips: [] });
    return this.marks.get(key);
  }

  clear() {
    this.marks.clear();
  }

  // Brings a line to sight.
  show(file, line) {
    this.open(file);
    const top = (line - 1) * ROW;
    const height = this.box.clientHeight || 400;
    if (top < this.box.scrollTop + 2 * ROW || top > this.box.scrollTop + height - 4 * ROW) {
      this.box.scrollTop = Math.max(0, top - height / 3);
    }
    this.draw(true);
  }

  find(direction) {
    const wanted = this.search.value.toLowerCase();
    const lines = this.files[this.file].lines;
    if (!wanted) return;
    const start = this.found ?? Math.floor(this.box.scrollTop / ROW);
    for (let offset = 1; offset <= lines.length; offset++) {
      const at = (start + direction * offset + lines.length * 2) % lines.length;
      if (lines[at].toLowerCase().includes(wanted)) {
        this.found = at;
        this.show(this.file, at + 1);
        return;
      }
    }
  }

  draw(again) {
    const file = this.files[this.file];
    if (!file) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 10);
    const last = Math.min(file.lines.length, Math.ceil((this.box.scrollTop + (this.box.clientHeight || 600)) / ROW) + 10);
    if (!again && this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
    this.drawn = [first, last];
    this.rows.style.height = file.lines.length * ROW + "px";
    if (file.width === undefined) file.width = Math.min(400, file.lines.reduce((most, line) => Math.max(most, line.length), 0));
    this.rows.style.width = `calc(${file.width}ch + 8em)`;
    const made = [];
    for (let index = first; index < last; index++) made.push(this.row(file, index));
    this.rows.replaceChildren(...made);
  }

  row(file, index) {
    const mark = this.marks.get(this.file + ":" + (index + 1));
    const code = el("span", {});
    highlight(code, file, index);
    const row = el("div", { class: "row" + (mark ? " " + [...mark.classes].join(" ") : ""), style: `top:${index * ROW}px`, "data-line": index + 1 },
      el("span", { class: "no" }, String(index + 1)), el("span", { class: "gutter" }), code);
    if (mark) for (const chip of mark.chips) row.append(chip());
    if (this.found === index) row.classList.add("here");
    row.addEventListener("click", () => this.onclick(this.file, index + 1));
    return row;
  }
}

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Static_assert __inline __extension__ __attribute__").split(" "));

// Which lines begin inside a comment, found once for each file.
function commentStates(file) {
  const states = new Uint8Array(file.lines.length + 1);
  let inside = false;
  file.lines.forEach((line, index) => {
    states[index] = inside ? 1 : 0;
    let at = 0;
    for (;;) {
      const next = line.indexOf(inside ? "*/" : "/*", at);
      const slashes = inside ? -1 : line.indexOf("//", at);
      if (next < 0 || (slashes >= 0 && slashes < next)) break;
      at = next + 2;
      inside = !inside;
    }
  });
  return states;
}

const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#.*)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

function highlight(target, file, index) {
  file.states = file.states || commentStates(file);
  let text = file.lines[index];
  if (file.states[index]) {
    const end = text.indexOf("*/");
    const cut = end < 0 ? text.length : end + 2;
    target.append(el("span", { class: "c" }, text.slice(0, cut)));
    text = text.slice(cut);
  }
  let last = 0;
  for (const found of text.slice(0, 2000).matchAll(TOKEN)) {
    const [token, comment, string, directive, number, word] = found;
    const kind = comment ? "c" : string ? "s" : directive ? "p" : number ? "n" : word && KEYWORDS.has(word) ? "k" : null;
    if (!kind) continue;
    if (found.index > last) target.append(text.slice(last, found.index));
    target.append(el("span", { class: kind }, token));
    last = found.index + token.length;
  }
  target.append(text.slice(last));
}
