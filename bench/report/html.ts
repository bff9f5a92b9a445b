/** HTML text in which everything is escaped that does not come from here. */

export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[] | undefined;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose values are escaped, unless they are Html; undefined is nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

function textOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
