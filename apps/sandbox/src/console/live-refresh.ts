/** Interval at which an open page checks for updates. */
const everyMs = 2_000;

/**
 * Script of the console: updates the open page. Forms keep typed and selected values, because only lists of events are
 * replaced and new accounts are added to the selection.
 */
export const liveRefreshScript = `
(() => {
  const byId = (id) => document.getElementById(id);
  const takeOver = (fresh) => {
    for (const section of fresh.querySelectorAll('section')) {
      const known = byId(section.id);
      if (!known) { byId('partners').append(section); continue; }
      const form = section.querySelector('form');
      if (form && !known.querySelector('form')) { known.replaceWith(section); continue; }
      const list = section.querySelector('[data-live]');
      const shown = byId(list.id);
      if (shown.innerHTML !== list.innerHTML) shown.innerHTML = list.innerHTML;
      if (!form) continue;
      const select = known.querySelector('select');
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
