/** The languages of the fixed words. The first one is meant where no other is asked for. */
export const LANGUAGES = ['en', 'az', 'ru', 'tr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Every fixed word on a page, in one language. `{n}` and `{p}` stand for a number and a price (`fillIn`). */
export type Words = {
  readonly language: Language;
  readonly skip: string;
  readonly fallbackTitles: {
    readonly landing: string;
    readonly tag: string;
    readonly card: string;
    readonly text: string;
    readonly menu: string;
  };
  readonly empty: string;
  readonly saveContact: string;
  readonly saveHelp: string;
  readonly share: string;
  readonly categories: string;
  readonly searchMenu: string;
  /** `{n}` */
  readonly found: string;
  readonly nothingFound: string;
  readonly clearSearch: string;
  /** `{p}` */
  readonly priceFrom: string;
  /** `{p}` in manat, with its Azerbaijani ending. */
  readonly priceFromManat: string;
  readonly close: string;
  readonly allergy: string;
  readonly copy: string;
  readonly copied: string;
  readonly plainText: string;
  readonly download: string;
  /** `{n}` */
  readonly lines: string;
  readonly password: {
    readonly title: string;
    readonly text: string;
    readonly label: string;
    readonly submit: string;
    readonly show: string;
    readonly hide: string;
    readonly error: string;
    readonly wrong: string;
    /** `{n}` minutes, before a no-break space */
    readonly tooMany: string;
    readonly busy: string;
  };
  readonly notFound: SystemWords;
  readonly paused: SystemWords;
  readonly gone: SystemWords;
  readonly scheduled: SystemWords;
  readonly over: SystemWords;
  /** text: `{n}` seconds, before a no-break space */
  readonly tooManyRequests: SystemWords;
  readonly unavailable: SystemWords & { readonly retry: string };
  readonly root: SystemWords;
  readonly app: {
    readonly title: string;
    readonly choose: string;
    readonly chooseDevice: string;
    readonly scan: string;
    readonly forIpad: string;
    readonly forMac: string;
  };
  readonly preview: {
    readonly title: string;
    readonly text: string;
    readonly leadsTo: string;
    /** Where a rule leads. */
    readonly forSome: string;
    readonly hidden: string;
    /** Of a link with limited visits. */
    readonly limited: string;
    readonly stores: string;
    readonly otherDevices: string;
    readonly page: string;
    /** Warns of a host such as аррӏе.com, all Cyrillic. */
    readonly lookAlike: string;
    readonly open: string;
  };
  readonly report: string;
};

export type SystemWords = { readonly title: string; readonly text: string };

/** A text of Words with its `{n}` or `{p}` filled in. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
