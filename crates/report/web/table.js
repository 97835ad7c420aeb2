// A table that is sorted by a click on a column and filtered by words. Long tables grow while they
// are read.

function table(target, options) {
  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) if (value) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const PAGE = 300;
  let sorted = null, descending = false, shown = PAGE;
  const search = make("input", { type: "search", placeholder: "Filter: words, all of which must fit", "aria-label": "Filter" });
  const choice = make("select", { "aria-label": "Which rows" }, ...(options.choices || []).map((one, index) => make("option", { value: String(index) }, one.name)));
  const count = make("span", { class: "soft" });
  const body = make("tbody");
  const heads = options.columns.map((column) => {
    const head = make("th", { class: column.number ? "number" : "", tabindex: "0", scope: "col" }, column.name);
    const sort = () => {
      descending = sorted === column ? !descending : Boolean(column.number);
      sorted = column;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      fill();
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter") sort();
    });
    return head;
  });
  const box = make("div", { class: "scroll", tabindex: "0" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body));
  box.addEventListener("scroll", () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 200 && shown < rows().length) {
      shown += PAGE;
      fill();
    }
  });

  let known = null;
  function rows() {
    if (known) return known;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const test = options.choices ? options.choices[Number(choice.value) || 0].test : () => true;
    const fitting = options.rows.filter((row) => {
      if (!test(row)) return false;
      if (!words.length) return true;
      const text = options.columns.map((column) => (column.text || column.value)(row)).join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    if (sorted) {
      const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }));
      fitting.sort((a, b) => (descending ? -1 : 1) * compare(sorted.value(a), sorted.value(b)));
    }
    return (known = fitting);
  }

  function cell(column, row) {
    const text = String(column.show ? column.show(row) : column.value(row));
    const link = column.link && column.link(row);
    const made = make("td", { class: [column.number ? "number" : "", column.class ? column.class(row) : ""].join(" ").trim(), title: column.title && column.title(row) }, link ? make("a", { href: link }, text) : text);
    if (column.after) made.append(make("span", { class: "time" }, column.after(row)));
    return made;
  }

  function fill() {
    known = null;
    const all = rows();
    body.replaceChildren(...all.slice(0, shown).map((row) => make("tr", {}, ...options.columns.map((column) => cell(column, row)))));
    count.textContent = `${all.length} of ${options.rows.length} rows`;
  }
  search.addEventListener("input", () => {
    shown = PAGE;
    fill();
  });
  choice.addEventListener("change", fill);
  if (options.filter) target.append(make("div", { class: "tools" }, search, ...(options.choices ? [choice] : []), count));
  target.append(box);
  fill();
}
