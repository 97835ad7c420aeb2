// A graph as SVG, with zoom, search, and what is known about the node that is chosen.

const MOST_NODES = 350;

class GraphView {
  constructor(graph, options) {
    this.graph = graph;
    this.options = options;
    this.view = { x: 0, y: 0, scale: 1 };
    this.root = svg("g", {});
    this.canvas = svg("svg", { role: "img", "aria-label": options.label },
      svg("defs", {}, svg("marker", { id: "tip-" + options.id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8Z" }))),
      this.root);
    this.box = el("div", { class: "graph", tabindex: "0" }, this.canvas);
    this.detail = el("div", { class: "detail soft" }, "Choose a node to see what is known there.");
    this.info = el("span", { class: "soft" });
    this.search = el("input", { type: "search", placeholder: "Find nodes ( / )", "aria-label": "Find nodes", oninput: () => this.find() });
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.nextFound();
    });
    const button = (text, label, act) => el("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
    const groups = [...new Set(graph.nodes.map((node) => node.group).filter(Boolean))];
    this.picker = el("select", { "aria-label": "Part", onchange: () => this.choosePart() });
    if (graph.nodes.length <= MOST_NODES) this.picker.append(el("option", { value: "" }, "everything"));
    else this.picker.append(el("option", { value: "" }, `the first ${MOST_NODES} nodes`));
    groups.sort().forEach((group) => this.picker.append(el("option", { value: group }, group)));
    this.tools = el("div", { class: "tools" }, this.search, groups.length > 1 ? this.picker : null,
      button("−", "Smaller (−)", () => this.zoom(1 / 1.3)), button("+", "Larger (+)", () => this.zoom(1.3)), button("fit", "Show everything (0)", () => this.fit()), this.info);
    this.listen();
  }

  // The layout is made when the graph is first looked at.
  open() {
    if (!this.made) this.choosePart();
    this.made = true;
  }

  choosePart() {
    const group = this.picker.value;
    let chosen = this.graph.nodes.map((_, index) => index);
    if (group) {
      const inside = new Set(chosen.filter((index) => this.graph.nodes[index].group === group));
      const near = new Set(inside);
      for (const link of this.graph.links) if (inside.has(link.from)) near.add(link.to);
      chosen = chosen.filter((index) => near.has(index));
    }
    chosen = chosen.slice(0, MOST_NODES);
    const renumber = new Map(chosen.map((index, at) => [index, at]));
    this.nodes = chosen.map((index) => this.graph.nodes[index]);
    this.links = this.graph.links
      .filter((link) => renumber.has(link.from) && renumber.has(link.to))
      .map((link) => ({ ...link, from: renumber.get(link.from), to: renumber.get(link.to) }));
    const all = this.graph.nodes.length + this.graph.omitted;
    this.info.textContent = this.nodes.length === all ? `${all} nodes, ${this.links.length} edges` : `${this.nodes.length} of ${all} nodes`;
    this.draw();
    this.fit();
  }

  draw() {
    const short = (text, length) => (text.length > length ? text.slice(0, length - 1) + "…" : text);
    const sizes = this.nodes.map((node) => {
      const sub = this.options.formulas ? short(node.detail, 44) : "";
      return { width: Math.max(56, 7.2 * node.label.length + 20, 6.8 * sub.length + 18), height: sub ? 42 : 28, sub };
    });
    const { x, y, isBack, bends } = placed(this.nodes, this.links, sizes);
    const lines = svg("g", {}), boxes = svg("g", {}), words = svg("g", {});
    const left = Math.min(...this.nodes.map((_, index) => x[index] - sizes[index].width / 2));
    let lane = 0;
    for (const [number, link] of this.links.entries()) {
      const from = { x: x[link.from], y: y[link.from] + sizes[link.from].height / 2 };
      const to = { x: x[link.to], y: y[link.to] - sizes[link.to].height / 2 };
      let path;
      if (link.from === link.to) {
        const side = x[link.from] + sizes[link.from].width / 2;
        path = `M${side} ${y[link.from] - 6}C${side + 34} ${y[link.from] - 26} ${side + 34} ${y[link.from] + 26} ${side} ${y[link.from] + 6}`;
      } else if (isBack(number)) {
        // Back along the side, each in a lane of its own.
        const way = Math.min(left, from.x, to.x) - 26 - 9 * (lane++ % 8);
        const start = { x: x[link.from] - sizes[link.from].width / 2, y: y[link.from] }, end = { x: x[link.to] - sizes[link.to].width / 2, y: y[link.to] };
        path = `M${start.x} ${start.y}C${way} ${start.y} ${way} ${start.y} ${way} ${(start.y + end.y) / 2}C${way} ${end.y} ${way} ${end.y} ${end.x} ${end.y}`;
      } else {
        path = `M${from.x} ${from.y}`;
        let last = from;
        for (const point of [...bends[number].map((bend) => ({ x: x[bend], y: y[bend] })), to]) {
          const middle = (last.y + point.y) / 2;
          path += `C${last.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`;
          last = point;
        }
      }
      const line = svg("path", { class: "link" + (link.covers ? " covers" : ""), d: path, "marker-end": `url(#tip-${this.options.id})` });
      if (link.label) line.append(svg("title", {}, link.label));
      lines.append(line);
      if (link.label && this.nodes.length <= 60 && !isBack(number)) {
        const first = bends[number].length ? { x: x[bends[number][0]], y: y[bends[number][0]] } : to;
        const label = link.label.split("\n").filter((part) => part.length < 200).slice(0, 2);
        const toLeft = first.x < from.x - 4;
        label.forEach((part, row) => words.append(svg("text", { class: "label", "text-anchor": toLeft ? "end" : null, x: (from.x + first.x) / 2 + (toLeft ? -8 : 8), y: (from.y + first.y) / 2 - 6 + row * 13 }, svg("title", {}, link.label), short(part, 34))));
      }
    }
    this.shapes = this.nodes.map((node, index) => {
      const { width, height, sub } = sizes[index];
      const shape = svg("g", { class: "node " + node.kind, transform: `translate(${x[index]} ${y[index]})`, onclick: () => this.choose(index) },
        svg("title", {}, node.detail || node.label),
        svg("rect", { x: -width / 2, y: -height / 2, width, height }),
        svg("text", { y: sub ? -3 : 4 }, node.label));
      if (sub) shape.append(svg("text", { class: "sub", y: 13 }, sub));
      boxes.append(shape);
      return shape;
    });
    this.root.replaceChildren(lines, words, boxes);
    const right = Math.max(...this.nodes.map((_, index) => x[index] + sizes[index].width / 2));
    const bottom = Math.max(...this.nodes.map((_, index) => y[index] + sizes[index].height / 2));
    this.bounds = { left: left - 110, top: -30, right: right + 50, bottom: bottom + 20 };
    this.points = { x, y };
    this.find();
  }

  choose(index) {
    const node = this.nodes[index];
    this.shapes.forEach((shape, at) => shape.classList.toggle("chosen", at === index));
    const leads = this.links.filter((link) => link.from === index && link.label).slice(0, 6);
    const place = node.spot && this.options.show ? el("button", { type: "button", onclick: () => this.options.show(node.spot) }, `line ${node.spot.line}`) : null;
    this.detail.className = "detail";
    this.detail.replaceChildren(el("p", {}, el("strong", {}, node.label), " ", node.group ? el("span", { class: "soft" }, node.group + " ") : null, place),
      node.detail ? el("code", {}, node.detail) : "",
      ...leads.map((link) => el("p", {}, el("span", { class: "soft" }, `to ${this.nodes[link.to].label}: `), el("code", {}, link.label))));
  }

  find() {
    const wanted = this.search.value.toLowerCase();
    this.found = [];
    this.nodes.forEach((node, index) => {
      const fits = wanted && (node.label + " " + node.detail + " " + node.group).toLowerCase().includes(wanted);
      this.shapes[index].classList.toggle("found", Boolean(fits));
      if (fits) this.found.push(index);
    });
    if (wanted) this.info.textContent = `${this.found.length} found`;
    this.next = 0;
  }

  nextFound() {
    if (!this.found.length) return;
    const index = this.found[this.next++ % this.found.length];
    this.choose(index);
    const { width, height } = this.box.getBoundingClientRect();
    this.view.scale = Math.max(this.view.scale, 0.8);
    this.view.x = width / 2 - this.points.x[index] * this.view.scale;
    this.view.y = height / 2 - this.points.y[index] * this.view.scale;
    this.move();
  }

  fit() {
    const { width, height } = this.box.getBoundingClientRect();
    if (!width || !this.bounds) return;
    const { left, top, right, bottom } = this.bounds;
    const scale = Math.min(1.4, width / (right - left), height / (bottom - top));
    this.view.scale = Math.max(scale, Math.min(0.35, width / 400));
    this.view.x = width / 2 - ((left + right) / 2) * this.view.scale;
    this.view.y = scale < this.view.scale ? 10 - top * this.view.scale : height / 2 - ((top + bottom) / 2) * this.view.scale;
    this.move();
  }

  zoom(factor, x, y) {
    const { width, height } = this.box.getBoundingClientRect();
    const cx = x ?? width / 2, cy = y ?? height / 2;
    const scale = Math.min(4, Math.max(0.04, this.view.scale * factor));
    this.view.x = cx - ((cx - this.view.x) * scale) / this.view.scale;
    this.view.y = cy - ((cy - this.view.y) * scale) / this.view.scale;
    this.view.scale = scale;
    this.move();
  }

  move() {
    this.root.setAttribute("transform", `translate(${this.view.x} ${this.view.y}) scale(${this.view.scale})`);
  }

  // Wheel, mouse and fingers: one moves, two zoom.
  listen() {
    const pointers = new Map();
    this.box.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.box.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.box.addEventListener("pointerdown", (event) => pointers.set(event.pointerId, event));
    window.addEventListener("pointerup", (event) => pointers.delete(event.pointerId));
    window.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
    this.box.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      if (pointers.size === 1) {
        this.view.x += event.clientX - last.clientX;
        this.view.y += event.clientY - last.clientY;
        this.move();
      } else {
        const other = [...pointers.values()].find((known) => known.pointerId !== event.pointerId);
        const distance = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        const box = this.box.getBoundingClientRect();
        this.zoom(distance(event, other) / Math.max(1, distance(last, other)), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
      }
      pointers.set(event.pointerId, event);
    });
  }

  key(key) {
    const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[key];
    if (by) {
      this.view.x += by[0];
      this.view.y += by[1];
      this.move();
    } else if (key === "+") this.zoom(1.3);
    else if (key === "-") this.zoom(1 / 1.3);
    else if (key === "0") this.fit();
    else return false;
    return true;
  }
}
