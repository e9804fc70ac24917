// What makes the page handier. Everything is there without it: drawings open by their addresses, tables stand as written.
"use strict";
(() => {
  const page = document.documentElement;
  page.classList.add("scripted");

  // Tables: a click on a heading sorts, a second one turns the order round.
  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        for (const other of headings) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, heading.classList.contains("number"), down);
      });
    });
  }

  function sort(table, column, numeric, down) {
    const key = (row) => {
      const cell = row.cells[column];
      const text = cell.dataset.value ?? cell.textContent;
      return numeric ? (text === "" ? NaN : Number(text)) : text.toLowerCase();
    };
    const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
    rows.sort(([a], [b]) => {
      // What has no figure stands last, whichever way round.
      if (numeric && (Number.isNaN(a) || Number.isNaN(b))) return Number.isNaN(a) - Number.isNaN(b);
      const order = numeric ? a - b : a < b ? -1 : a > b ? 1 : 0;
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }

  // The filter: rows that hold all words, and have the status and the domain chosen.
  for (const form of document.querySelectorAll("form.filter")) {
    const table = document.getElementById(form.dataset.table);
    const told = form.querySelector("output");
    const rows = [...table.tBodies[0].rows];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const apply = () => {
      const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = [...form.querySelectorAll("select")].filter((select) => select.value);
      let shown = 0;
      rows.forEach((row, place) => {
        const fits = words.every((word) => texts[place].includes(word)) &&
          chosen.every((select) => row.dataset[select.name] === select.value);
        row.hidden = !fits;
        shown += fits;
      });
      told.textContent = shown === rows.length ? "" : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    // Whoever follows a link to a row wants to see it, whatever the filter says.
    addEventListener("hashchange", () => {
      const row = document.getElementById(location.hash.slice(1));
      if (row && row.hidden && table.contains(row)) {
        form.reset();
        apply();
        row.scrollIntoView();
      }
    });
  }

  // Drawings open in a dialog, which Escape closes.
  const dialog = document.querySelector("dialog");
  const open = (link) => {
    const picture = link.querySelector("img");
    dialog.querySelector("img").src = picture.src;
    dialog.querySelector("img").alt = picture.alt;
    dialog.querySelector("span").textContent = link.closest("figure").querySelector("figcaption").textContent;
    dialog.showModal();
  };
  if (dialog && dialog.showModal) {
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a.open, a.to-drawing");
      if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        open(link.matches(".open") ? link : document.querySelector(`${link.getAttribute("href")} a.open`));
      }
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("button")) dialog.close();
    });
  }

  // Commands can be copied where the browser allows it.
  if (navigator.clipboard) {
    for (const box of document.querySelectorAll(".command")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(box.querySelector("code").textContent);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Cannot copy";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
      box.append(button);
    }
  }
})();
