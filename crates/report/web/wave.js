// The counterexample of a circuit as a waveform. Only the rows and steps in sight are drawn.

class WaveView {
  constructor(wave) {
    this.wave = wave;
    this.at = 0;
    this.scale = 1;
    this.filter = "";
    this.onlyChanging = wave.signals.length > 40;
    this.radix = 10;
    this.box = el("div", { class: "wave", tabindex: "0", role: "img", "aria-label": "Waveform of the counterexample" });
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.slider = el("input", { type: "range", min: 0, max: wave.steps - 1, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.output = el("output", {});
    const button = (text, label, act) => el("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
    this.player = el("div", { class: "player" },
      button("◀", "Step back (left arrow)", () => this.go(this.at - 1)),
      button("▶", "Step (right arrow)", () => this.go(this.at + 1)),
      button("⇥", "Last step (End)", () => this.go(wave.steps - 1)),
      this.slider, this.output);
    const search = el("input", { type: "search", placeholder: "Find signals ( / )", "aria-label": "Find signals", oninput: () => {
      this.filter = search.value.toLowerCase();
      this.draw();
    } });
    this.search = search;
    const changing = el("button", { type: "button", "aria-pressed": String(this.onlyChanging), onclick: () => {
      this.onlyChanging = !this.onlyChanging;
      changing.setAttribute("aria-pressed", String(this.onlyChanging));
      this.draw();
    } }, "only what changes");
    const radix = el("button", { type: "button", onclick: () => {
      this.radix = this.radix === 10 ? 16 : this.radix === 16 ? 2 : 10;
      radix.textContent = { 10: "decimal", 16: "hexadecimal", 2: "binary" }[this.radix];
      this.draw();
    } }, "decimal");
    this.note = el("span", { class: "soft" });
    this.tools = el("div", { class: "tools" }, search, changing, radix,
      button("−", "Narrower (−)", () => this.zoom(1 / 1.5)), button("+", "Wider (+)", () => this.zoom(1.5)), this.note);
  }

  zoom(factor) {
    this.scale = Math.min(6, Math.max(0.25, this.scale * factor));
    this.draw();
  }

  go(step) {
    this.at = Math.min(this.wave.steps - 1, Math.max(0, step));
    this.slider.value = this.at;
    const { names, width } = this.sizes();
    const left = this.at * width;
    const seen = this.box.clientWidth - names;
    if (left < this.box.scrollLeft || left + width > this.box.scrollLeft + seen) this.box.scrollLeft = Math.max(0, left - seen / 2);
    this.draw();
  }

  click(event) {
    const { names, width } = this.sizes();
    const x = event.clientX - this.box.getBoundingClientRect().left;
    if (x > names) this.go(Math.floor((x - names + this.box.scrollLeft) / width));
  }

  sizes() {
    const longest = Math.max(6, ...this.shown().map((signal) => signal.name.length + (signal.width > 1 ? 5 : 0)));
    const names = Math.min(longest * 7.6 + 24, Math.max(110, this.box.clientWidth * 0.4));
    const room = ((this.box.clientWidth || 800) - names - 12) / this.wave.steps;
    return { names, width: Math.min(110, Math.max(30, room)) * this.scale, height: 28, top: 24 };
  }

  shown() {
    const order = { bad: 0, input: 1, state: 2 };
    return this.wave.signals
      .filter((signal) => signal.name.toLowerCase().includes(this.filter))
      .filter((signal) => !this.onlyChanging || signal.kind === "bad" || signal.changes.length > 1 || /[^0]/.test(signal.changes[0]?.[1] ?? ""))
      .sort((a, b) => order[a.kind] - order[b.kind]);
  }

  value(signal, step) {
    let found = "";
    for (const [at, value] of signal.changes) {
      if (at > step) break;
      found = value;
    }
    return found;
  }

  text(value, width) {
    if (this.radix === 16) return value;
    const number = BigInt("0x" + (value || "0"));
    return this.radix === 2 ? number.toString(2).padStart(Math.min(width, 64), "0") : number.toString();
  }

  draw() {
    const wave = this.wave;
    const signals = this.shown();
    const { names, width, height, top } = this.sizes();
    const total = names + wave.steps * width + 8;
    const tall = top + signals.length * height + 4;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.box;
    const firstRow = Math.max(0, Math.floor((scrollTop - top) / height) - 2);
    const lastRow = Math.min(signals.length, firstRow + Math.ceil((clientHeight || 500) / height) + 4);
    const firstStep = Math.max(0, Math.floor(scrollLeft / width) - 2);
    const lastStep = Math.min(wave.steps - 1, Math.ceil((scrollLeft + clientWidth - names) / width) + 2);
    const x = (step) => names + step * width;
    const body = svg("g", {});
    body.append(svg("rect", { class: "cursor", x: x(this.at), y: 0, width, height: tall }));
    for (let step = firstStep; step <= lastStep + 1; step++) {
      body.append(svg("line", { class: "grid", x1: x(step), x2: x(step), y1: top - 4, y2: tall }));
    }
    for (let row = firstRow; row < lastRow; row++) body.append(this.trace(signals[row], top + row * height, height, x, firstStep, lastStep));
    // The names stay where they are when steps scroll, and the steps when names do.
    const labels = svg("g", { class: "names", transform: `translate(${scrollLeft} 0)` }, svg("rect", { x: 0, y: scrollTop, width: names, height: clientHeight || tall }));
    for (let row = firstRow; row < lastRow; row++) {
      const signal = signals[row];
      const letters = Math.floor((names - 20) / 7.6);
      const full = signal.name + (signal.width > 1 ? ` [${signal.width}]` : "");
      const name = full.length > letters ? "…" + full.slice(full.length - letters + 1) : full;
      labels.append(svg("text", { class: "name", x: 10, y: top + row * height + 18, fill: signal.kind === "bad" ? "var(--bad)" : null }, svg("title", {}, `${full} (${signal.kind}) = ${this.text(this.value(signal, this.at), signal.width)}`), name));
    }
    const head = svg("g", { class: "top", transform: `translate(0 ${scrollTop})` }, svg("rect", { x: 0, y: 0, width: total, height: top - 4 }));
    const every = Math.max(1, Math.ceil(24 / width));
    for (let step = firstStep; step <= lastStep; step++) {
      if (step % every === 0) head.append(svg("text", { class: "head", x: x(step) + width / 2, y: 14, "text-anchor": "middle" }, String(step)));
    }
    head.append(svg("rect", { x: scrollLeft, y: 0, width: names, height: top - 4 }), svg("text", { class: "head", x: scrollLeft + 10, y: 14 }, "step"));
    this.box.replaceChildren(svg("svg", { width: total, height: tall }, body, labels, head));
    this.output.textContent = `step ${this.at} of ${wave.steps - 1}`;
    this.note.textContent = `${signals.length} of ${wave.signals.length} signals` + (wave.omitted ? `, ${wave.omitted} memories not drawn` : "");
  }

  trace(signal, y, height, x, firstStep, lastStep) {
    const group = svg("g", { class: signal.kind });
    const low = y + height - 5, high = y + 5;
    let path = "";
    for (let index = 0; index < signal.changes.length; index++) {
      const [from, value] = signal.changes[index];
      const to = index + 1 < signal.changes.length ? signal.changes[index + 1][0] : this.wave.steps;
      if (to < firstStep || from > lastStep + 1) continue;
      const left = x(Math.max(from, firstStep)), right = x(Math.min(to, lastStep + 1));
      if (signal.width === 1) {
        const level = value === "1" ? high : low;
        path += path ? `V${level}H${right}` : `M${left} ${level}H${right}`;
      } else {
        const bend = Math.min(4, (right - left) / 3), middle = (low + high) / 2;
        group.append(svg("path", { class: "bus", d: `M${left} ${middle}L${left + bend} ${high}H${right - bend}L${right} ${middle}L${right - bend} ${low}H${left + bend}Z` }));
        const text = this.text(value, signal.width);
        const room = Math.floor((right - left - 8) / 7.3);
        if (room > 0) group.append(svg("text", { x: (left + right) / 2, y: low - 4, "text-anchor": "middle" }, svg("title", {}, text), text.length > room ? (room > 2 ? text.slice(0, room - 1) + "…" : "") : text));
      }
    }
    if (path) group.append(svg("path", { class: "trace", d: path }));
    return group;
  }
}
