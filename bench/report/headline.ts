/** The two or three figures that the page begins with. */
import type { Spread } from '../measure.js';
import type { Results, ThroughputRow } from '../results.js';
import { figure, middle, range } from './figures.js';
import { type Html, html } from './html.js';
import { BUBBLEWRAP, FLOOR, HEADLINE, OURS } from './subjects.js';

export function headline({ throughput }: Results): Html {
  const { workload, inFlight } = HEADLINE;
  const rowOf = (subject: string): ThroughputRow | undefined =>
    throughput.find(
      (row) => row.workload === workload && row.inFlight === inFlight && row.subject === subject,
    );
  const ours = rowOf(OURS);
  if (ours === undefined) return html``;
  const bubblewrap = rowOf(BUBBLEWRAP);
  return html`<section aria-label="The most important figures">
<p>${workload} in each program, ${inFlight} programs in flight:</p>
<div class="cards">
${card(middle(ours.perSecond), 'programs a second', 'each in a process of its own', ours.perSecond)}
${
  ours.toFloor &&
  card(
    `${middle(ours.toFloor.perSecond)} ×`,
    `the ${FLOOR}`,
    'the same confinement from C, without Node',
    ours.toFloor.perSecond,
  )
}
${
  bubblewrap &&
  card(
    `${figure(ours.perSecond.median / bubblewrap.perSecond.median)} ×`,
    BUBBLEWRAP,
    `which runs ${middle(bubblewrap.perSecond)} a second`,
  )
}
</div>
</section>`;
}

function card(value: string, what: string, explanation: string, spread?: Spread): Html {
  const ends = spread ? range(spread) : '';
  return html`<div class="card"><p class="value">${value}</p><p class="what">${what}</p>
<p class="note">${explanation}${ends && ` (${ends})`}</p></div>`;
}
