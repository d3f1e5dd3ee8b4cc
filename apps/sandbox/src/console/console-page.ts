import { modeOptions } from '../pages/mode-options';
import { escapeHtml, page } from '../pages/page';
import { Partner, QueuedEvent } from '../partners/partner';
import { EventAward, awardsByEvent } from './awards-by-event';
import { DepositForm, amountPattern, amountRule } from './deposit-form';
import { AccountProgress, PlatformAwards, SegmentMember } from './issued-awards';
import { liveRefreshScript } from './live-refresh';

/** A partner, with the awards that its events have caused and the progress of its accounts, if they can be read. */
export interface ShownPartner {
  readonly partner: Partner;
  readonly awards: PlatformAwards | null;
}

/** A deposit that was refused, shown in its form again. */
export interface RefusedDeposit {
  readonly partner: string;
  readonly typed: DepositForm;
  readonly fault: string;
}

const shownEvents = 20;

/** The page on which a developer makes deposits and sees the results of the events. */
export function consolePage(shown: readonly ShownPartner[], refused?: RefusedDeposit): string {
  const sections = shown.map((each) => sectionOf(each, refused?.partner === each.partner.name ? refused : undefined));
  return page(
    'Sandbox partners',
    `<h1>Sandbox partners</h1>
<p class="banner">Development only: partners to link with, and what they have sent. This page refreshes itself.</p>
<p id="stale" class="error" role="status" hidden>The sandbox does not answer: what you see may be out of date. Is npm start still running?</p>
<div id="partners">${sections.join('')}</div>
${sections.length === 0 ? '<p id="no-partner">No partner is configured yet. npm start configures one for its demo.</p>' : ''}
<script>${liveRefreshScript}</script>`,
  );
}

function sectionOf({ partner, awards }: ShownPartner, refused: RefusedDeposit | undefined): string {
  const id = escapeHtml(partner.name);
  const caused = awards ? awardsByEvent(partner.events, awards) : new Map<string, EventAward[]>();
  const events = partner.events.slice(-shownEvents).reverse();
  const items = events.map((event) => eventItem(partner, event, caused.get(event.id) ?? []));
  return `<section id="partner-${id}"><h2>${id}</h2>
${formOf(partner, refused)}
${modeForm(partner)}
<div id="events-${id}" data-live>
${awards === null ? '<p class="soft">Awards cannot be read at the moment.</p>' : ''}
${(awards?.members ?? []).map((each) => memberLine(partner, each)).join('')}
${(awards?.progress ?? []).map((each) => progressLine(partner, awards!, each)).join('')}
${items.length === 0 ? '<p class="soft">No event was sent yet.</p>' : `<ol class="events">${items.join('')}</ol>`}
</div></section>`;
}

function modeForm(partner: Partner): string {
  const inForce = partner.modes?.[0];
  const times = inForce?.times === undefined ? '' : ` for ${inForce.times} more`;
  const now = inForce
    ? `Mode in force: <strong>${inForce.mode}</strong>${times}`
    : 'This partner follows the specification.';
  const name = escapeHtml(partner.name);
  return `<p id="mode-${name}" data-live>${now}</p>
<form method="post" action="/console/${encodeURIComponent(partner.name)}/mode">
<label for="mode-of-${name}">How this partner answers</label>
<select id="mode-of-${name}" name="mode">${modeOptions(inForce?.mode ?? null)}</select>
<label class="check"><input type="checkbox" name="once"> only the next request</label>
<button type="submit" class="plain">Set the mode</button></form>`;
}

function formOf(partner: Partner, refused: RefusedDeposit | undefined): string {
  const accounts = Object.values(partner.accounts);
  if (accounts.length === 0) return '<p>No account has logged in yet.</p>';
  const name = escapeHtml(partner.name);
  const options = accounts.map(
    ({ sub, nickname }) =>
      `<option value="${escapeHtml(sub)}"${sub === refused?.typed.account ? ' selected' : ''}>${escapeHtml(nickname)}</option>`,
  );
  const describedBy = refused ? ` aria-invalid="true" aria-describedby="fault-${name}"` : '';
  return `<form method="post" action="/console/${encodeURIComponent(partner.name)}/deposit" data-deposit>
<label>Account <select name="account">${options.join('')}</select></label>
<label>Amount in EUR <input name="amount" value="${escapeHtml(refused?.typed.amount ?? '100.00')}" required inputmode="decimal" autocomplete="off" pattern="${escapeHtml(amountPattern)}" title="${amountRule}"${describedBy}></label>
${refused ? `<p id="fault-${name}" class="error" role="alert">${escapeHtml(refused.fault)}</p>` : ''}
<button type="submit">Make a deposit</button>
<button type="submit" class="plain" name="event" value="bet">Place a bet</button></form>`;
}

function eventItem(partner: Partner, event: QueuedEvent, awards: readonly EventAward[]): string {
  const account = partner.accounts[event.sub]?.nickname ?? event.sub;
  const details = event.attributes.map(({ value }) => value).join(' ');
  const at = new Date(event.created_at * 1000).toISOString();
  const tries = event.attempts === 1 ? '1 attempt' : `${event.attempts} attempts`;
  const state = stateOf(event);
  return `<li><p><strong>${escapeHtml(event.name)}</strong> ${escapeHtml(details)} <span class="pill ${state}">${state}</span></p>
<p class="soft">${escapeHtml(account)} · <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time> · ${tries}</p>
${event.last_answer === '' ? '' : `<p class="soft">Answer: <code>${escapeHtml(event.last_answer.slice(0, 160))}</code></p>`}
${awards.map(awardLine).join('')}${event.accepted ? againForm(partner, event) : ''}</li>`;
}

/** What a developer has to know of an event: an id that was sent before changes nothing. */
function stateOf({ accepted, attempts, last_answer }: QueuedEvent): string {
  if (!accepted) return attempts === 0 ? 'waiting' : 'retrying';
  return last_answer.includes('"outcome":"duplicate"') ? 'duplicate' : 'accepted';
}

function memberLine(partner: Partner, { segment_name, platform_user_id }: SegmentMember): string {
  const account = partner.accounts[platform_user_id ?? ''];
  if (!account) return '';
  return `<p class="award">In the segment “${escapeHtml(segment_name)}”: <strong>${escapeHtml(account.nickname)}</strong></p>`;
}

function progressLine(partner: Partner, { tasks }: PlatformAwards, progress: AccountProgress): string {
  const { task_id, platform_user_id, value, target } = progress;
  const account = partner.accounts[platform_user_id ?? ''];
  if (!account || value === null || target === null) return '';
  const name = tasks.find((task) => task.task_id === task_id)?.name ?? task_id;
  const [shown, of, task, nickname] = [value, target, name, account.nickname].map(escapeHtml);
  return `<p class="award">Progress: <strong>${shown} of ${of}</strong> for “${task}”, ${nickname}</p>`;
}

function againForm(partner: Partner, { id }: QueuedEvent): string {
  const path = `/console/${encodeURIComponent(partner.name)}/events/${encodeURIComponent(id)}/again`;
  return `<form method="post" action="${path}" class="again"><button type="submit" class="plain">Send again</button></form>`;
}

function awardLine({ award, taskName }: EventAward): string {
  const { type, amount, currency, item } = award.reward;
  const reward = item ?? [amount, currency ?? type].filter(Boolean).join(' ');
  return `<p class="award">Award: <strong>${escapeHtml(reward)}</strong> for “${escapeHtml(taskName)}”, ${escapeHtml(award.state)}</p>`;
}
