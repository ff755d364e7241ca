// Before anything is painted: restore the theme that the reader chose last, if the browser stored it.
try {
  const chosen = localStorage.getItem("rooftop-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* no storage: use the system's preference */ }
