"use strict";
(() => {
  const tools = JSON.parse(document.getElementById("data").textContent);
  const rows = [...document.querySelectorAll(".tool")];
  const search = document.getElementById("search");
  const chips = [...document.querySelectorAll(".chip")];
  const count = document.getElementById("count");
  const nothing = document.getElementById("nothing");

  // Text of strangers enters the page here only, and only as text.
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined && text !== null) element.textContent = text;
    return element;
  };
  const add = (parent, ...children) => { parent.append(...children); return parent; };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.filter);
    let shown = 0;
    rows.forEach((row, index) => {
      const { text, traits } = tools[index];
      const fits = words.every((word) => text.includes(word)) && wanted.every((trait) => traits.includes(trait));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    count.textContent = shown === rows.length ? `${rows.length} ${rows.length === 1 ? "tool" : "tools"}` : `${shown} of ${rows.length} tools`;
    nothing.hidden = shown > 0;
  };

  const said = (title, entries) => {
    if (!entries.length) return [];
    const list = make("ul", "said");
    for (const [place, text] of entries) add(list, add(make("li"), make("code", "", place), make("span", "", text)));
    return [make("h3", "", title), list];
  };

  const difference = (pairs) => {
    const box = make("div", "diff");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "The author's schema beside the wire schema");
    add(box, add(make("div", "line caption"), make("div", "side left", "the author’s schema"), make("div", "side right", "on the wire")));
    for (const [mark, left, right = left] of pairs)
      add(box, add(make("div", `line ${mark}`), make("div", "side left", left), make("div", "side right", right)));
    return box;
  };

  const block = (title, text) => add(make("div"), make("p", "", title), make("pre", "", text));

  const panel = (verdict) => {
    const box = make("div");
    add(box, add(make("p", "why"), make("span", `state ${verdict.state}`, verdict.state), document.createTextNode(` ${verdict.reason}`)));
    if (verdict.name) add(box, ...said("Name on the wire", [[verdict.name, ""]]));
    add(box, ...said("Not held by the grammar: said in the description, checked locally", verdict.lost));
    add(box, ...said("Rewritten, and turned back when the model answers", verdict.rewritten));
    add(box, ...said("Narrowed", verdict.narrowed));
    if (verdict.pairs) add(box, make("h3", "", "Schema"), difference(verdict.pairs));
    else if (verdict.schema) add(box, make("h3", "", "Schema: as the author wrote it"), make("pre", "", verdict.schema));
    if (verdict.example) {
      const pair = make("div", "pair");
      add(pair, block("what the handler receives", verdict.example[0]), block("what the model sends", verdict.example[1]));
      add(box, make("h3", "", "An example call"), pair);
    }
    return box;
  };

  const draw = (index) => {
    const detail = document.getElementById(`detail-${index}`);
    const tool = tools[index];
    if (tool.description && (tool.description.length > 80 || tool.description.includes("\n"))) add(detail, make("p", "about", tool.description));
    add(detail, ...said("Mended: what the server wrote was read as what it must mean", tool.mended));
    const tabs = make("div", "tabs");
    const body = make("div");
    tabs.setAttribute("role", "tablist");
    tabs.setAttribute("aria-label", "Provider");
    body.setAttribute("role", "tabpanel");
    body.id = `panel-${index}`;
    const buttons = tool.verdicts.map((verdict, number) => {
      const tab = make("button", "tab", verdict.title);
      tab.type = "button";
      tab.id = `tab-${index}-${number}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", body.id);
      tab.addEventListener("click", () => select(number));
      return add(tabs, tab) && tab;
    });
    const select = (number) => {
      buttons.forEach((tab, other) => {
        tab.setAttribute("aria-selected", String(other === number));
        tab.tabIndex = other === number ? 0 : -1;
      });
      buttons[number].scrollIntoView({ block: "nearest", inline: "nearest" });
      body.setAttribute("aria-labelledby", buttons[number].id);
      body.replaceChildren(panel(tool.verdicts[number]));
    };
    tabs.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
      select(next);
      buttons[next].focus();
      event.preventDefault();
    });
    add(detail, tabs, body);
    select(0);
  };

  const toggle = (index) => {
    const button = rows[index].querySelector(".disclose");
    const detail = document.getElementById(`detail-${index}`);
    const isOpen = button.getAttribute("aria-expanded") === "true";
    if (!isOpen && !detail.hasChildNodes()) draw(index);
    button.setAttribute("aria-expanded", String(!isOpen));
    detail.hidden = isOpen;
  };

  const reset = () => {
    search.value = "";
    chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
    filter();
  };

  rows.forEach((row, index) => row.querySelector(".disclose").addEventListener("click", () => toggle(index)));
  search.addEventListener("input", filter);
  chips.forEach((chip) => chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
  }));
  document.getElementById("reset").addEventListener("click", () => { reset(); search.focus(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
    if (event.key === "Escape" && document.activeElement === search) reset();
  });
  const asked = decodeURIComponent(location.hash.slice(1));
  const found = tools.findIndex((tool) => tool.name === asked);
  if (found >= 0) { toggle(found); rows[found].scrollIntoView(); }
  else if (tools.length === 1) toggle(0);
})();
