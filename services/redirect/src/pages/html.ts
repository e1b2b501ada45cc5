/** What may stand in markup: text, which is escaped, other markup, a list of it, or nothing. */
export type HtmlValue = string | Html | readonly Html[] | null;

/** Markup that is safe to put into a page: written by us, every value in it escaped. Made by the tag `markup`. */
export class Html {
  readonly #text: string;

  constructor(strings: readonly string[], values: readonly HtmlValue[]) {
    this.#text = strings.reduce((text, part, index) => text + render(values[index - 1] ?? null) + part);
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * The tag for markup; not called `html`, or the formatter would rearrange what a policy's hash covers.
 * Strings are escaped for text and quoted attributes; Html goes in as it is, a list of it one after the other, null as
 * nothing.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings, values);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A browser reads a bare one as a line feed, and a snippet must come out as it went in.
  '\r': '&#13;',
};

function render(value: HtmlValue): string {
  if (value === null) return '';
  if (typeof value === 'string') {
    return value.replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? '');
  }
  return value instanceof Html ? value.toString() : value.join('');
}
