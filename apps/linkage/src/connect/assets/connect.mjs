// Enhances the pages of /connect; every step works without it.
const channelName = 'podium-link';

const outcome = document.getElementById('outcome');
if (outcome) showOutcome(outcome);
if (document.getElementById('partners')) managePartners();

/** The last page of a flow: notifies the page that opened it and closes, or finishes by itself. */
function showOutcome(section) {
  const { linked, message, targetOrigin, poll } = section.dataset;
  const integrationId = lastOf(location.pathname);
  // The URL contains a used code and state, so it is removed from history and reloads.
  history.replaceState(null, '', '/connect');
  const report = { type: 'podium.link', linked: linked === 'true', message, integrationId };
  if (window.opener) window.opener.postMessage(report, targetOrigin);
  // This also reaches an opener whose reference the partner's page has severed.
  if ('BroadcastChannel' in window) new BroadcastChannel(channelName).postMessage(report);
  if (window.opener || window.name === channelName) window.close();
  if (poll) untilReady(poll, () => finishOutcome(section));
}

/** During an outage of the service a link may take long; a page that nobody looks at asks nothing. */
async function untilReady(url, done) {
  for (let asked = 0; ;) {
    await pause(asked < 120 ? 1000 : 10_000);
    if (document.visibilityState !== 'visible') continue;
    asked++;
    const response = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => null);
    if (response && response.status === 401) return;
    // What is no JSON is an answer of a proxy.
    const answer = response && response.ok ? await response.json().catch(() => null) : null;
    if (!answer) continue;
    // Disconnected meanwhile, in another tab: the list of accounts says so.
    if (!answer.link || answer.link.state === 'unlinked') return void location.reload();
    if (answer.link.ready_at) return done();
  }
}

function finishOutcome(section) {
  section.querySelector('.sign').className = 'sign good';
  section.querySelector('h1').textContent = section.dataset.readyTitle;
  section.querySelector('.lead').textContent = section.dataset.readyMessage;
}

/** The list of partners: connects in a popup, confirms in a dialog, and follows flows in progress. */
function managePartners() {
  document.addEventListener('submit', (event) => {
    if (event.target.matches('[data-connect]')) connectInPopup(event.target);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-disconnect]');
    if (link) confirmDisconnect(event, link);
  });
  window.addEventListener('message', (event) => {
    if (event.origin === location.origin && event.data && event.data.type === 'podium.link') finished(event.data);
  });
  if ('BroadcastChannel' in window) new BroadcastChannel(channelName).onmessage = (event) => finished(event.data);
  // A reload must not confirm the disconnect again.
  if (document.querySelector('[data-disconnected]')) history.replaceState(null, '', '/connect');
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void reload());
  follow();
}

/** The popup of the flow in progress and its partner; without a reference to this page it may not be able to close itself. */
let opened = null;

/** If the popup is blocked, the form continues in this tab. */
function connectInPopup(form) {
  const width = 480;
  const height = 720;
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2);
  const popup = window.open('', channelName, `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!popup) return void form.removeAttribute('target');
  // The partner's page must not be able to navigate this one.
  popup.opener = null;
  opened = { popup, integrationId: lastOf(form.action) };
  form.target = channelName;
  popup.focus();
  notice(document.getElementById('partners').dataset.inPopup, '');
  const closed = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(closed);
    if (document.getElementById('notice').className === 'notice') notice('', '');
    void reload();
  }, 500);
}

function confirmDisconnect(event, link) {
  const dialog = document.getElementById('confirm');
  if (typeof dialog.showModal !== 'function') return;
  event.preventDefault();
  dialog.querySelector('h2').textContent = link.dataset.title;
  dialog.querySelector('p').textContent = link.dataset.note;
  dialog.querySelector('form').action = link.getAttribute('href');
  dialog.showModal();
}

/**
 * A flow has ended, perhaps one of another tab: the popup of this one, with another partner, stays open. The page of the release
 * before does not say with which partner.
 */
function finished({ linked, message, integrationId = opened?.integrationId }) {
  if (opened && opened.integrationId === integrationId && !opened.popup.closed) opened.popup.close();
  notice(message, linked ? 'good' : 'bad');
  document.getElementById('notice').focus();
  void reload();
}

function notice(message, kind) {
  const element = document.getElementById('notice');
  delete element.dataset.disconnected;
  element.hidden = message === '';
  element.className = kind === '' ? 'notice' : `notice ${kind}`;
  element.textContent = message;
}

let reloading = false;

/** Takes the list from the server's page, so that only the server renders it. */
async function reload() {
  if (reloading) return;
  reloading = true;
  try {
    const response = await fetch('/connect', { headers: { accept: 'text/html' } });
    // A page of an error has no list either; it would replace this page and never be read again.
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('partners');
    // The session has ended, or another user has logged in by another tab: the name on this page is not theirs. The release before
    // does not say whose the list is.
    const { user } = fresh?.dataset ?? {};
    if (!fresh || (user !== undefined && user !== document.getElementById('partners').dataset.user))
      return void location.reload();
    for (const row of fresh.children) replaceRow(row);
    // With very many partners, one that is disconnected is not listed any more.
    const listed = new Set(Array.from(fresh.children, ({ id }) => id));
    for (const row of [...document.getElementById('partners').children]) if (!listed.has(row.id)) row.remove();
    confirmDisconnected();
  } catch {
    // The network is unavailable; the next round tries again.
  } finally {
    reloading = false;
  }
}

/** Says that a disconnect is complete once its row does. */
function confirmDisconnected() {
  const element = document.querySelector('[data-disconnected]');
  const row = element && document.getElementById(element.dataset.disconnected);
  if (!element || (row && row.dataset.state !== 'none')) return;
  const { done } = element.dataset;
  if (element.textContent !== done) element.textContent = done;
}

/** Unchanged rows stay in place, so that focus and scroll position do too. */
function replaceRow(row) {
  const present = document.getElementById(row.id);
  if (!present) document.getElementById('partners').append(document.importNode(row, true));
  else if (present.dataset.state !== row.dataset.state || present.textContent !== row.textContent) {
    const focused = present.contains(document.activeElement);
    const next = document.importNode(row, true);
    present.replaceWith(next);
    if (focused) next.querySelector('button, a')?.focus();
  }
}

async function follow() {
  for (;;) {
    await pause(1000);
    if (document.querySelector('[data-pending]') && document.visibilityState === 'visible') await reload();
  }
}

/** The last part of a path or an address: an integration. */
function lastOf(path) {
  return path.split('/').at(-1).toLowerCase();
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
