// What all parts use: elements, the data, and the place that is looked at.

const data = JSON.parse(document.getElementById("data").textContent);

// An HTML element; children are elements or text.
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  put(made, attributes, children);
  return made;
}

// The same for SVG.
function svg(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  put(made, attributes, children);
  return made;
}

function put(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) made.append(child);
  }
}

// Numbers as people read them.
function shownNumber(value) {
  if (value >= 1e6) return (value / 1e6).toPrecision(3) + " M";
  if (value >= 1e4) return (value / 1e3).toPrecision(3) + " k";
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function shownSeconds(value) {
  return value < 1 ? (value * 1000).toFixed(value < 0.01 ? 1 : 0) + " ms" : value.toPrecision(3) + " s";
}

// Round marks for an axis from 0 to a maximum.
function marks(most, wanted) {
  if (!(most > 0)) return [0];
  const rough = most / wanted;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let at = 0; at <= most * 1.0001; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}
