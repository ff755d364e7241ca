// Fetch the page again, and replace the sections that have changed; without JavaScript it reloads by itself.
const main = document.getElementById("main");

async function renew() {
  if (document.hidden) return;
  try {
    const reply = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(60000) });
    if (!reply.ok) return;
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").getElementById("main");
    for (const section of [...fresh.children]) {
      const shown = document.getElementById(section.id);
      if (shown === null) main.append(section);
      else if (!shown.contains(document.activeElement) && shown.innerHTML !== section.innerHTML) shown.replaceWith(section);
    }
  } catch { /* the server is away: it is asked again */ }
}

async function keepLive() {
  await renew();
  setTimeout(keepLive, 1000 * Number(main.dataset.every));
}
setTimeout(keepLive, 1000 * Number(main.dataset.every));
