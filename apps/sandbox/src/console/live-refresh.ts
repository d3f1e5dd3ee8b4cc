/** Interval at which an open page checks for updates. */
const everyMs = 2_000;

/**
 * Script of the console: updates the open page. Forms keep typed and selected values, because only modes and lists of
 * events are replaced and new accounts are added to the selection.
 */
export const liveRefreshScript = `
(() => {
  const byId = (id) => document.getElementById(id);
  const takeOver = (fresh) => {
    for (const section of fresh.querySelectorAll('section')) {
      const known = byId(section.id);
      if (!known) { byId('partners').append(section); continue; }
      const form = section.querySelector('[data-deposit]');
      if (form && !known.querySelector('[data-deposit]')) { known.replaceWith(section); continue; }
      for (const live of section.querySelectorAll('[data-live]')) {
        const shown = byId(live.id);
        if (shown.innerHTML !== live.innerHTML) shown.innerHTML = live.innerHTML;
      }
      if (!form) continue;
      const select = known.querySelector('[data-deposit] select');
      for (const option of form.querySelectorAll('option'))
        if (![...select.options].some(({ value }) => value === option.value)) select.append(option);
    }
    const none = byId('no-partner');
    if (none && !fresh.getElementById('no-partner')) none.remove();
    byId('stale').hidden = true;
  };
  const refresh = async () => {
    try {
      const answer = await fetch('/', { cache: 'no-store' });
      if (!answer.ok) throw new Error(String(answer.status));
      takeOver(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch {
      byId('stale').hidden = false;
    }
    setTimeout(refresh, ${everyMs});
  };
  setTimeout(refresh, ${everyMs});
})();
`;
