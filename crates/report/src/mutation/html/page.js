// Filters the methods on the page. The state is kept in the address, so that a view can be shared:
// report.html#?findings&q=basket, report.html#?verdict=tested,not-covered
"use strict";
(() => {
  const form = document.querySelector("form.filters");
  const search = document.getElementById("search");
  const findings = document.getElementById("findings");
  const shown = document.getElementById("shown");
  const boxes = [...form.querySelectorAll("input[name=verdict]")];
  const units = [...document.querySelectorAll("details.unit")].map((element) => ({
    element,
    name: element.querySelector("h3").textContent,
    methods: [...element.querySelectorAll("details.method")].map((method) => ({
      element: method,
      verdict: method.dataset.verdict,
      text: method.textContent.toLowerCase(),
    })),
  }));
  for (const unit of units) {
    const path = unit.element.closest(".package").querySelector("h2").textContent;
    unit.path = (path + "." + unit.name).toLowerCase();
  }
  const total = units.reduce((sum, unit) => sum + unit.methods.length, 0);

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const isFinding = (verdict) => verdict === "pseudo-tested" || verdict === "partially-tested";
    let count = 0;
    for (const unit of units) {
      let here = 0;
      for (const method of unit.methods) {
        const wanted = findings.checked ? isFinding(method.verdict) : verdicts.has(method.verdict);
        const found = words.every((word) => unit.path.includes(word) || method.text.includes(word));
        method.element.hidden = !(wanted && found);
        here += method.element.hidden ? 0 : 1;
      }
      unit.element.hidden = here === 0;
      count += here;
    }
    for (const element of document.querySelectorAll("details.package")) {
      element.hidden = !element.querySelector("details.unit:not([hidden])");
    }
    boxes.forEach((box) => (box.disabled = findings.checked));
    shown.textContent = `${count} of ${total} methods shown`;
  }

  function remember() {
    const parts = [];
    if (findings.checked) parts.push("findings");
    const changed = boxes.some((box) => box.checked !== box.defaultChecked);
    if (changed) {
      const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
      parts.push("verdict=" + verdicts.join(","));
    }
    if (search.value) parts.push("q=" + encodeURIComponent(search.value));
    history.replaceState(null, "", parts.length ? "#?" + parts.join("&") : location.pathname);
  }

  // The address is either a filter or the anchor of a method, which is unfolded and shown.
  function follow() {
    if (!location.hash.startsWith("#?")) {
      const target = document.getElementById(location.hash.slice(1));
      if (!target) return;
      target.hidden = false;
      for (let each = target; each; each = each.parentElement) {
        if (each.tagName === "DETAILS") {
          each.hidden = false;
          each.open = true;
        }
      }
      target.scrollIntoView();
      return;
    }
    const state = new URLSearchParams(location.hash.slice(2));
    findings.checked = state.has("findings");
    search.value = state.get("q") ?? "";
    if (state.has("verdict")) {
      const verdicts = state.get("verdict").split(",");
      boxes.forEach((box) => (box.checked = verdicts.includes(box.value)));
    }
    apply();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    apply();
    remember();
  });
  const fold = (open) => units.forEach((unit) => (unit.element.open = open));
  document.getElementById("unfold").addEventListener("click", () => fold(true));
  document.getElementById("fold").addEventListener("click", () => fold(false));
  addEventListener("hashchange", follow);
  apply();
  follow();
})();
