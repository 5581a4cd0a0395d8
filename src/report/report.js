// What the report of `warpseed align` can do where scripts run: a switch between light and dark, tables that are sorted
// by a click on a heading, and the numbers of a plot under the pointer. The numbers are those of the table below each
// plot. The address's part after # may be "dark" or "light".
"use strict";

(() => {
  const page = document.documentElement;
  const wantsDark = () => window.matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = () => (page.dataset.theme || (wantsDark() ? "dark" : "light")) === "dark";

  function addThemeSwitch() {
    const button = document.getElementById("theme");
    const show = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-pressed", String(isDark()));
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      page.dataset.theme = isDark() ? "light" : "dark";
      show();
    });
    show();
  }

  // "1,234", "99.16 %", "43.21": their number; not a number for other text.
  const numberOf = (text) => Number(text.replace(/[,\u00a0%]/g, "").trim() || NaN);

  function compare(a, b) {
    const x = numberOf(a), y = numberOf(b);
    if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? -1 : 1;
    return a.localeCompare(b, "en", { numeric: true });
  }

  function sortBy(table, heading) {
    const headings = [...heading.parentElement.cells], column = heading.cellIndex;
    const descending = heading.getAttribute("aria-sort") === "ascending" ||
      (!heading.hasAttribute("aria-sort") && column > 0);
    const body = table.tBodies[0];
    const rows = [...body.rows].filter((row) => !row.classList.contains("last"));
    const rest = [...body.rows].filter((row) => row.classList.contains("last"));
    rows.sort((a, b) => compare(a.cells[column].textContent, b.cells[column].textContent) * (descending ? -1 : 1));
    body.append(...rows, ...rest);
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }

  function makeSortable(table) {
    for (const heading of table.tHead.rows[0].cells) {
      if (table.querySelector(`td:nth-child(${heading.cellIndex + 1}) svg`)) continue;
      heading.tabIndex = 0;
      heading.addEventListener("click", () => sortBy(table, heading));
      heading.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        sortBy(table, heading);
      });
    }
  }

  let shown;  // the box with the values

  // The texts are set as text, not as markup: names come from files.
  function showValues(headings, row, left, top) {
    shown.replaceChildren();
    const title = document.createElement("b");
    title.textContent = `${headings[0]} ${row.cells[0].textContent}`;
    shown.append(title);
    for (let i = 1; i < headings.length; ++i) {
      const line = document.createElement("span");
      const name = document.createElement("span"), value = document.createElement("span");
      name.textContent = headings[i];
      value.textContent = row.cells[i].textContent;
      line.append(name, value);
      shown.append(line);
    }
    shown.hidden = false;
    const box = shown.getBoundingClientRect(), room = page.clientWidth;
    shown.style.left = `${Math.max(4, left + 14 + box.width > room ? left - box.width - 14 : left + 14)}px`;
    shown.style.top = `${Math.max(4, Math.min(top, window.innerHeight - box.height - 4))}px`;
  }

  function addCursor(figure) {
    const plot = figure.querySelector(".plot"), table = figure.querySelector("table");
    const rows = [...table.tBodies[0].rows];
    if (rows.length === 0) return;
    const places = rows.map((row) => Number(row.dataset.x));
    const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const cursor = document.createElement("div");
    cursor.className = "cursor";
    cursor.hidden = true;
    plot.append(cursor);
    plot.tabIndex = 0;
    let at = -1;

    function nearest(percent) {
      let low = 0, high = places.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (places[middle] < percent) low = middle;
        else high = middle;
      }
      return percent - places[low] < places[high] - percent ? low : high;
    }
    function moveTo(i) {
      at = i;
      const box = plot.getBoundingClientRect();
      cursor.style.left = `${places[i]}%`;
      cursor.hidden = false;
      showValues(headings, rows[i], box.left + box.width * places[i] / 100, box.top + 6);
    }
    function hide() {
      cursor.hidden = true;
      shown.hidden = true;
    }
    for (const kind of ["pointerdown", "pointermove"]) {
      plot.addEventListener(kind, (event) => {
        const box = plot.getBoundingClientRect();
        moveTo(nearest(100 * (event.clientX - box.left) / box.width));
      });
    }
    plot.addEventListener("pointerleave", hide);
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.length, End: rows.length }[event.key];
      if (event.key === "Escape") hide();
      if (steps === undefined) return;
      event.preventDefault();
      moveTo(Math.max(0, Math.min(rows.length - 1, at + steps)));
    });
  }

  if (location.hash === "#dark" || location.hash === "#light") page.dataset.theme = location.hash.slice(1);
  document.addEventListener("DOMContentLoaded", () => {
    page.classList.add("scripted");
    shown = document.getElementById("values");
    addThemeSwitch();
    document.querySelectorAll("table.sortable").forEach(makeSortable);
    document.querySelectorAll("figure.chart").forEach(addCursor);
  });
})();
