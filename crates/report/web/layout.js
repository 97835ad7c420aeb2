// Layers for a directed graph, after Sugiyama: nodes in layers by their distance from the entry,
// links that lead back left out of account, an order in each layer in which few lines cross, and a
// bend in every layer that a link passes.

// Links that close a cycle on the way of a depth-first search.
function closing(count, links) {
  const out = Array.from({ length: count }, () => []);
  links.forEach((link, index) => {
    if (!link.covers) out[link.from].push(index);
  });
  const state = new Uint8Array(count);
  const back = new Set();
  for (let root = 0; root < count; root++) {
    if (state[root]) continue;
    const stack = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      const link = out[top[0]][top[1]++];
      if (link === undefined) {
        state[top[0]] = 2;
        stack.pop();
        continue;
      }
      const next = links[link].to;
      if (state[next] === 1) back.add(link);
      else if (!state[next]) {
        state[next] = 1;
        stack.push([next, 0]);
      }
    }
  }
  return back;
}

// The longest way to each node along these pairs.
function depths(count, pairs) {
  const into = new Int32Array(count), depth = new Int32Array(count);
  const next = Array.from({ length: count }, () => []);
  for (const [from, to] of pairs) {
    into[to]++;
    next[from].push(to);
  }
  const ready = [];
  for (let node = 0; node < count; node++) if (!into[node]) ready.push(node);
  for (let index = 0; index < ready.length; index++) {
    for (const to of next[ready[index]]) {
      depth[to] = Math.max(depth[to], depth[ready[index]] + 1);
      if (!--into[to]) ready.push(to);
    }
  }
  return depth;
}

// Coordinates of nodes with these sizes, and for every link the points where it bends; none for
// links that lead back.
function placed(nodes, links, given) {
  const real = nodes.length;
  const back = closing(real, links);
  const isBack = (index) => links[index].covers || back.has(index) || links[index].from === links[index].to;
  const forward = links.map((_, index) => index).filter((index) => !isBack(index));
  const layer = Array.from(depths(real, forward.map((index) => [links[index].from, links[index].to])));
  const sizes = given.slice();
  const bends = links.map(() => null);
  const before = Array.from({ length: real }, () => []), next = Array.from({ length: real }, () => []);
  const join = (from, to) => {
    next[from].push(to);
    before[to].push(from);
  };
  for (const index of forward) {
    const { from, to } = links[index];
    bends[index] = [];
    let last = from;
    for (let at = layer[from] + 1; at < layer[to]; at++) {
      const bend = layer.length;
      layer.push(at);
      sizes.push({ width: 10, height: 0 });
      before.push([]);
      next.push([]);
      bends[index].push(bend);
      join(last, bend);
      last = bend;
    }
    join(last, to);
  }
  const layers = [];
  layer.forEach((at, node) => (layers[at] = layers[at] || []).push(node));
  order(layers, before, next);
  const x = across(layers, before, next, sizes);
  const y = new Float64Array(layer.length);
  let top = 0;
  layers.forEach((row) => {
    const tall = Math.max(28, ...row.map((node) => sizes[node].height));
    for (const node of row) y[node] = top + tall / 2;
    top += tall + 62;
  });
  return { x, y, isBack, bends };
}

// Fewer crossings: each node near the middle of its neighbours, down and up in turn.
function order(layers, before, next) {
  const place = [];
  const number = (row) => row.forEach((node, index) => (place[node] = index / Math.max(1, row.length - 1) - 0.5));
  layers.forEach(number);
  const mean = (list, fallback) => (list.length ? list.reduce((sum, node) => sum + place[node], 0) / list.length : fallback);
  for (let round = 0; round < 8; round++) {
    const down = round % 2 === 0;
    for (const row of down ? layers : [...layers].reverse()) {
      const wish = new Map(row.map((node) => [node, mean(down ? before[node] : next[node], place[node])]));
      row.sort((a, b) => wish.get(a) - wish.get(b));
      number(row);
    }
  }
}

// Each node as near to its neighbours as the others of its layer allow.
function across(layers, before, next, sizes) {
  const x = [];
  const gap = 26;
  for (const row of layers) {
    let at = 0;
    for (const node of row) {
      x[node] = at + sizes[node].width / 2;
      at += sizes[node].width + gap;
    }
    const shift = (at - gap) / 2;
    for (const node of row) x[node] -= shift;
  }
  for (let round = 0; round < 10; round++) {
    const down = round % 2 === 0;
    for (const row of down ? layers : [...layers].reverse()) {
      const near = (node) => (down ? before[node] : next[node]);
      const wish = row.map((node) => (near(node).length ? near(node).reduce((sum, other) => sum + x[other], 0) / near(node).length : x[node]));
      row.forEach((node, index) => {
        const other = row[index - 1];
        const left = index ? x[other] + sizes[other].width / 2 + gap + sizes[node].width / 2 : -Infinity;
        x[node] = Math.max(wish[index], left);
      });
      const drift = row.reduce((sum, node, index) => sum + x[node] - wish[index], 0) / row.length;
      for (const node of row) x[node] -= drift;
    }
  }
  return x;
}
