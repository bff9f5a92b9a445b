/** docs/system-calls.md: what a runner may call and what a command may not, from the lists that the filters are made of. */
import { type AllowedCall, type RefusedCall, systemCallLists } from '../support/system-call-lists.js';

const HEAD = `# System calls

The lists that the seccomp filters are made of, each entry with its reason, printed from \`native/launcher/allow_list.h\` and
\`native/command/refused_calls.h\` themselves. Numbers are those of x86-64. Written by \`npm run docs:isolation\`; a test says when this page
is stale. \`test/isolation\` tries every number from 0 to 600 where the filters are in force.

Every filter looks at the architecture first: a call by the 32-bit interface kills the process. Arguments are compared as the 32 bits that
the kernel takes.
`;

const RUNNER = `## A pool's sandboxes

A runner may make these calls. Any other number, any other argument where one is named, and every number of the x32 interface kill the process
(\`SIGSYS\`). \`uretprobe\` and \`uprobe\` (335, 336) are let past every filter by Linux 6.14 and later; they do nothing there.
`;

const ZYGOTE = `### Its zygote

In force in the process that sandboxes are cloned from, and in them as well: a runner's call has to pass both lists. What a zygote has
beyond a runner:
`;

const COMMAND = `## Commands

A command may make every call but these. \`EPERM\` is the answer to what is refused; \`ENOSYS\`, as of a kernel that does not have it, where
programs know how to do without.
`;

/** The whole document as Markdown. */
export function systemCallsDocument(): string {
  const { zygote, preparation, runner, command, firstUnknown } = systemCallLists();
  const isOfRunner = new Set(runner.map(({ number }) => number));
  const more = [...zygote, ...preparation].filter(({ number }) => !isOfRunner.has(number));
  return [
    HEAD,
    RUNNER,
    table(['call', 'number', 'only', 'for'], runner.map(allowedRow)),
    ZYGOTE,
    table(['call', 'number', 'only', 'for'], more.map(allowedRow)),
    COMMAND,
    table(['call', 'number', 'refused with', 'answer', 'why'], command.map(refusedRow)),
    `Numbers from ${firstUnknown} on do not exist for a command (\`ENOSYS\`): calls that were not known when the list was made, and the whole x32 interface.\n`,
  ].join('\n');
}

function allowedRow(call: AllowedCall): string[] {
  return [`\`${call.name}\``, `${call.number}`, condition(call), call.reason];
}

function condition({ argumentName, rule, valueNames = '' }: AllowedCall): string {
  if (rule === undefined) return '';
  if (valueNames === 'the_launchers_shape')
    return `\`${argumentName}\` of the launcher's one kind of sandbox`;
  const names = valueNames.split(', ').map((name) => `\`${name}\``);
  return `\`${argumentName}\` ${names.join(rule === 'between' ? ' to ' : ' or ')}`;
}

function refusedRow({ name, number, error, reason, arguments: with_ = 'anything' }: RefusedCall): string[] {
  return [`\`${name}\``, `${number}`, with_, `\`${error}\``, reason];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
