// Keyboard shortcuts, listed on /keys. Every page works without this file.
"use strict";
const go = { q: "/queue", d: "/dashboard", b: "/breaks", "/": "/search", "?": "/keys" };
// Each id has a button that copies it. The key y copies the focused id.
const copy = (id, button) => navigator.clipboard?.writeText(id).then(() => {
  if (button) button.textContent = "✓";
});
for (const id of document.querySelectorAll(".uid")) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "copy", tabIndex: -1, textContent: "⧉", title: document.body.dataset.copy });
  button.setAttribute("aria-label", `${document.body.dataset.copy} ${id.textContent}`);
  button.addEventListener("click", () => copy(id.textContent, button));
  (id.closest("a, label") ?? id).after(button);
}
const press = { n: "#next button", t: "#take" };
// These keys focus the field for the reason; the user submits the form.
const reach = {
  c: "#decision", a: "#approve [name=reason]", r: "#reject [name=reason]", u: "#undo [name=reason]", o: "#note [name=note]",
  g: "#release [name=reason]", w: "#withdraw [name=reason]", s: "#arrange",
};

// Focuses the next or the previous row of the page's tables.
function move(by) {
  const links = [...document.querySelectorAll("main tbody tr")].map((row) => row.querySelector("a")).filter(Boolean);
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
  links[next]?.focus();
}

document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || at.closest("input, select, textarea")) return;
  if (go[event.key]) {
    event.preventDefault();
    location.href = go[event.key];
  } else if (press[event.key]) {
    document.querySelector(press[event.key])?.click();
  } else if (reach[event.key]) {
    event.preventDefault();
    document.querySelector(reach[event.key])?.focus();
  } else if (event.key === "y") {
    const id = at.querySelector(".uid");
    if (id) copy(id.textContent, id.closest("a")?.nextElementSibling);
  } else if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    move(event.key === "j" ? 1 : -1);
  }
});

// Renews the lease of the case every ten minutes while the page is visible and in use, so that leases and sessions of absent users end.
const keep = document.querySelector("#keep");
if (keep) {
  let isThere = false;
  for (const name of ["keydown", "pointermove", "scroll"]) addEventListener(name, () => { isThere = true; }, { passive: true });
  setInterval(() => {
    if (document.visibilityState !== "visible" || !isThere) return;
    isThere = false;
    fetch(keep.action, { method: "POST", body: new URLSearchParams(new FormData(keep)), redirect: "manual" }).catch(() => {});
  }, 600000);
}

// Shows the effect of the chosen decision; without this file the list of effects states it.
const decision = document.querySelector("form.decide #decision");
const usual = document.querySelector(".usual");
decision?.addEventListener("change", () => {
  const effect = document.querySelector(`dd[data-action="${decision.value}"]`);
  if (usual && effect) usual.textContent = effect.textContent;
});
