import type { Queryable } from '@smartlink/process/database';
import { type SmartlinkType, STORE_NAMES } from '@smartlink/smartlink/model';

/** Titles by button: `button:3`, `contact:1`, `store:appStoreLink`. */
export type Titles = ReadonlyMap<string, string>;

/** The kind of a type's buttons, as presses name it, and their member of its documents. */
const BUTTONS: Readonly<Partial<Record<SmartlinkType, { readonly kind: string; readonly member: string }>>> =
  {
    Landing: { kind: 'button', member: 'landingButtons' },
    QRTag: { kind: 'button', member: 'qrTagButtons' },
    DigiCard: { kind: 'contact', member: 'digiCardButtons' },
  };

const STORE_TITLES: Titles = new Map(
  Object.entries(STORE_NAMES).map(([member, name]) => [`store:${member}`, name]),
);

const FIND_CONTENT = `
select type, content -> type as content from smartlinks where id = $1 and user_id = $2`;

type ContentRow = {
  readonly type: SmartlinkType;
  readonly content: Readonly<Record<string, unknown>> | null;
};

/**
 * The titles of some buttons of an owner's smartlink in its present version, and the names of stores; those that it does not
 * have are left out. Buttons are known by their place: a press of one that was moved is of the button that is there now.
 */
export async function findTitles(
  db: Queryable,
  { id, userId }: { readonly id: string; readonly userId: string },
  buttons: readonly string[],
): Promise<Titles> {
  if (buttons.every((button) => STORE_TITLES.has(button))) return STORE_TITLES;
  const { rows } = await db.query(FIND_CONTENT, [id, userId]);
  const [row] = rows as ContentRow[];
  const stored = row === undefined ? undefined : BUTTONS[row.type];
  if (row === undefined || stored === undefined) return STORE_TITLES;
  const present = (row.content?.[stored.member] ?? []) as readonly { readonly title: string }[];
  return new Map([
    ...STORE_TITLES,
    ...present.map(({ title }, i) => [`${stored.kind}:${i}`, title] as const),
  ]);
}
