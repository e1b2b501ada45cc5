/** Markup that is safe to put into a page: written by us, every value in it escaped. Made by the tag `markup`. */
export class Html {
  readonly #text: string;

  constructor(strings: readonly string[], values: readonly (string | Html | null)[]) {
    this.#text = strings.reduce((text, part, index) => text + render(values[index - 1] ?? null) + part);
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * The tag for markup; not called `html`, or the formatter would rearrange what a policy's hash covers.
 * Strings are escaped for text and quoted attributes; Html goes in as it is, null as nothing.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly (string | Html | null)[]): Html {
  return new Html(strings, values);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: string | Html | null): string {
  if (value === null) return '';
  if (value instanceof Html) return value.toString();
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
