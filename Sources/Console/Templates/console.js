// Keys for whoever works here all day; /keys lists them. Every page works without this file.
"use strict";
document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || at.closest("input, select, textarea")) return;
  const go = { q: "/queue", d: "/dashboard", "/": "/search", "?": "/keys" }[event.key];
  const press = { n: "#next button", t: "#take" }[event.key];
  if (go) {
    event.preventDefault();
    location.href = go;
  } else if (press) {
    document.querySelector(press)?.click();
  } else if (event.key === "c") {
    event.preventDefault();
    document.querySelector("#decision")?.focus();
  }
});
