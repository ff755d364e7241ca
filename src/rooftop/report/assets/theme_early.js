// Before anything is painted: the theme that the reader chose last time, if the browser lets a local file remember it.
try {
  const chosen = localStorage.getItem("rooftop-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* no storage: the system's preference holds */ }
