"use strict";
// Switch between light and dark. A change sends the event "themechange" to the document.
const preference = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function isDark() {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : preference.matches;
}

function announceTheme() {
  document.getElementById("theme").setAttribute("aria-pressed", String(isDark()));
  document.dispatchEvent(new Event("themechange"));
}

document.getElementById("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("rooftop-theme", theme); } catch { /* kept for this visit only */ }
  announceTheme();
});
preference.addEventListener("change", announceTheme);
addEventListener("beforeprint", () => { printing = true; announceTheme(); });
addEventListener("afterprint", () => { printing = false; announceTheme(); });
document.getElementById("theme").setAttribute("aria-pressed", String(isDark()));
