// What a page of `warpseed overlap --html` can do where scripts run: the part of the dot plot that is chosen with the
// pointer is drawn again from the matches' positions, and the matches there are listed.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const data = JSON.parse(document.getElementById("matches").textContent);
  const part = document.getElementById("part"), where = document.getElementById("where");
  const commas = (number) => Math.round(number).toLocaleString("en-US");
  const mostRows = 200;

  // A side: its sequences one after the other, from 0 to `total`.
  function sideOf(sequences) {
    const begins = [0];
    for (const [, length] of sequences) begins.push(begins[begins.length - 1] + length);
    return { sequences, begins, total: Math.max(1, begins[begins.length - 1]) };
  }
  const x = sideOf(data.targets), y = sideOf(data.symmetric ? data.targets : data.queries);

  // Each match once, or once on both sides of the diagonal, longest first: its positions on the sides.
  const matches = [];
  for (const [target, targetBegin, query, queryBegin, length, reverse] of data.regions) {
    const at = x.begins[target] + targetBegin, on = y.begins[query] + queryBegin;
    matches.push({ target, targetBegin, query, queryBegin, length, reverse, at, on });
    if (!data.symmetric) continue;
    matches.push({ target: query, targetBegin: queryBegin, query: target, queryBegin: targetBegin, length, reverse,
                   at: on, on: at });
  }

  const whole = () => ({ left: 0, right: x.total, low: 0, high: y.total });
  let view = whole();

  // Moves a range into [0, total] and makes it no shorter than ten bases.
  function fitted(begin, end, total) {
    const size = Math.min(total, Math.max(10, end - begin));
    const first = Math.min(Math.max(0, (begin + end - size) / 2), total - size);
    return [first, first + size];
  }
  function show(next) {
    const [left, right] = fitted(next.left, next.right, x.total), [low, high] = fitted(next.low, next.high, y.total);
    view = { left, right, low, high };
    draw();
  }

  function sequenceAt(side, at) {
    let low = 0, high = side.sequences.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (side.begins[middle] <= at) low = middle;
      else high = middle;
    }
    return low;
  }
  function rangeText(side, begin, end) {
    const first = sequenceAt(side, begin), last = sequenceAt(side, Math.max(begin, end - 1));
    const name = (i) => side.sequences[i][0];
    const from = `${name(first)}:${commas(Math.floor(begin - side.begins[first]) + 1)}`;
    const to = commas(Math.ceil(end - side.begins[last]));
    return first === last ? `${from}–${to}` : `${from} to ${name(last)}:${to}`;
  }

  // Round positions if one sequence is seen, else the names of those that have room, and the borders between them.
  // characters: how many characters of a label fit along the whole axis.
  function ticksOf(side, begin, end, characters) {
    const first = sequenceAt(side, begin), last = sequenceAt(side, Math.max(begin, end - 1));
    const ticks = [], borders = [];
    if (first === last) {
      let step = 10 ** Math.floor(Math.log10(Math.max(1, (end - begin) / 4)));
      const most = Math.max(1, Math.min(5, characters / (commas(end - side.begins[first]).length + 2)));
      while ((end - begin) / step > most) step *= step.toString().startsWith("2") ? 2.5 : 2;
      const start = side.begins[first];
      for (let at = Math.ceil((begin - start) / step) * step; start + at <= end; at += step) {
        ticks.push([start + at, commas(at)]);
      }
      return { ticks, borders };
    }
    for (let i = first; i <= last; ++i) {
      const from = Math.max(begin, side.begins[i]), to = Math.min(end, side.begins[i + 1]);
      if (i > first) borders.push(side.begins[i]);
      const name = side.sequences[i][0], room = Math.min(16, Math.floor((to - from) / (end - begin) * characters) - 2);
      if (room >= 4) ticks.push([(from + to) / 2, name.length <= room ? name : `${name.slice(0, room - 1)}\u2026`]);
    }
    return { ticks, borders };
  }

  function svgElement(name, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }
  function label(kind, side, percent, text) {
    const span = document.createElement("span");
    span.className = kind;
    span.style[side] = `${percent}%`;
    span.textContent = text;
    part.append(span);
  }

  const isSeen = (match) => match.at < view.right && match.at + match.length > view.left && match.on < view.high &&
    match.on + match.length > view.low;
  const toX = (at) => 1000 * (at - view.left) / (view.right - view.left);
  const toY = (on) => 1000 - 1000 * (on - view.low) / (view.high - view.low);

  function draw() {
    part.replaceChildren();
    const svg = svgElement("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" });
    const characters = part.clientWidth / 7.5;  // of 12 pixels' height
    const across = ticksOf(x, view.left, view.right, characters), up = ticksOf(y, view.low, view.high, 4 * characters);
    const grid = across.borders.map((at) => `M${toX(at)} 0V1000`).join("") + up.borders.map((on) => `M0 ${toY(on)}H1000`).join("");
    svg.append(svgElement("path", { class: "grid", d: grid }));
    const seen = matches.filter(isSeen);
    for (const reverse of [1, 0]) {
      const d = seen.filter((match) => match.reverse === reverse).map((match) => {
        const [from, to] = reverse ? [match.on + match.length, match.on] : [match.on, match.on + match.length];
        return `M${toX(match.at).toFixed(2)} ${toY(from).toFixed(2)}L${toX(match.at + match.length).toFixed(2)} ${toY(to).toFixed(2)}`;
      }).join("");
      svg.append(svgElement("path", { class: `line match c${reverse ? 2 : 1}`, d }));
    }
    part.append(svg);
    for (const [at, text] of across.ticks) label(toX(at) > 940 ? "x-tick end" : "x-tick", "left", toX(at) / 10, text);
    for (const [on, text] of up.ticks) label("y-tick", "top", toY(on) / 10, text);
    where.textContent = `${commas(seen.length)} matches in ${rangeText(x, view.left, view.right)} and ${rangeText(y, view.low, view.high)}`;
    list(seen);
  }

  function list(seen) {
    const table = document.querySelector("#list table");
    table.caption.textContent = seen.length > mostRows ? `The longest ${mostRows} of ${commas(seen.length)} matches there` :
      `The ${commas(seen.length)} matches there`;
    for (const heading of table.tHead.rows[0].cells) heading.removeAttribute("aria-sort");
    table.tBodies[0].replaceChildren(...seen.slice(0, mostRows).map((match) => {
      const row = document.createElement("tr");
      const texts = [commas(match.length), match.reverse ? "\u2212" : "+",
                     rangeText(x, match.at, match.at + match.length), rangeText(y, match.on, match.on + match.length)];
      texts.forEach((text, i) => {
        const cell = document.createElement(i === 0 ? "th" : "td");
        cell.textContent = text;
        row.append(cell);
      });
      return row;
    }));
  }

  // Calls chosen(left, top, right, bottom), in shares of the box, when a rectangle has been drawn over it.
  function choose(box, chosen) {
    let from = null, frame = null;
    const place = (event) => {
      const bounds = box.getBoundingClientRect(), share = (value) => Math.min(1, Math.max(0, value));
      return [share((event.clientX - bounds.left) / bounds.width), share((event.clientY - bounds.top) / bounds.height)];
    };
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = place(event);
      frame = document.createElement("div");
      frame.className = "frame";
      box.append(frame);
      if (event.isTrusted) box.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    box.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = place(event);
      frame.style.left = `${100 * Math.min(from[0], to[0])}%`;
      frame.style.top = `${100 * Math.min(from[1], to[1])}%`;
      frame.style.width = `${100 * Math.abs(from[0] - to[0])}%`;
      frame.style.height = `${100 * Math.abs(from[1] - to[1])}%`;
    });
    box.addEventListener("pointercancel", () => { from = null; frame?.remove(); });
    box.addEventListener("pointerup", (event) => {
      if (!from) return;
      const begin = from, to = place(event);
      from = null;
      frame.remove();
      if (Math.abs(begin[0] - to[0]) < 0.005 || Math.abs(begin[1] - to[1]) < 0.005) return;
      chosen(Math.min(begin[0], to[0]), Math.min(begin[1], to[1]), Math.max(begin[0], to[0]), Math.max(begin[1], to[1]));
    });
  }
  const within = (range, left, top, right, bottom) => {
    const width = range.right - range.left, height = range.high - range.low;
    return { left: range.left + width * left, right: range.left + width * right, low: range.high - height * bottom,
             high: range.high - height * top };
  };
  // A larger or smaller part around the middle, or one next to it.
  function change(factor, sideways, upwards) {
    const width = view.right - view.left, height = view.high - view.low;
    const middle = (view.left + view.right) / 2 + sideways * width, center = (view.low + view.high) / 2 + upwards * height;
    show({ left: middle - factor * width / 2, right: middle + factor * width / 2, low: center - factor * height / 2,
           high: center + factor * height / 2 });
  }

  // The overview's box, in the SVG's own units, as shares of its size.
  const svg = document.querySelector("#overview svg"), overlay = document.createElement("div");
  const [left, top, size] = svg.dataset.box.split(" ").map(Number), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  overlay.className = "overlay";
  Object.assign(overlay.style, { left: `${100 * left / width}%`, top: `${100 * top / height}%`,
                                 width: `${100 * size / width}%`, height: `${100 * size / height}%` });
  document.getElementById("overview").append(overlay);
  choose(overlay, (...box) => {
    show(within(whole(), ...box));
    document.getElementById("detail").scrollIntoView({ block: "nearest" });
  });
  choose(part, (...box) => show(within(view, ...box)));
  document.getElementById("out").addEventListener("click", () => change(2, 0, 0));
  document.getElementById("whole").addEventListener("click", () => show(whole()));
  const keys = { "+": [0.5, 0, 0], "-": [2, 0, 0], ArrowLeft: [1, -0.25, 0], ArrowRight: [1, 0.25, 0], ArrowUp: [1, 0, 0.25],
                 ArrowDown: [1, 0, -0.25] };
  part.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    change(...keys[event.key]);
  });
  document.getElementById("detail").hidden = false;
  draw();
  addEventListener("resize", draw);  // another number of labels has room
});
