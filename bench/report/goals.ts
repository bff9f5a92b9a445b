/** The goals, each with what was reached. */
import type { Goal, Results } from '../results.js';
import { middle, range, unitSuffix } from './figures.js';
import { type Html, html } from './html.js';

export function goals({ goals }: Results): Html {
  if (goals.length === 0) return html``;
  const met = goals.filter((goal) => goal.met).length;
  return html`<section>
<h2>Goals</h2>
<p>${met} of ${goals.length} met.</p>
<ul class="goals">
${goals.map(item)}</ul>
</section>`;
}

function item({ name, goal, reached, unit, met }: Goal): Html {
  const ends = range(reached);
  return html`<li class="${met ? 'met' : 'missed'}">
<span class="mark" aria-hidden="true">${met ? '✓' : '✗'}</span>
<span class="name">${name}<span class="note">goal: ${goal}</span></span>
<span class="reached">${middle(reached)}${unitSuffix(unit)}<span class="note">${ends}</span></span>
<span class="state">${met ? 'met' : 'not met'}</span></li>\n`;
}
