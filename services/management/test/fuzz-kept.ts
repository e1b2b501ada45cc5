import { isObject } from './fuzz-json.js';

/** Members of a document that an answer does not hold as sent: URLs normalised, null left out. */
export function faultsOfKept(sent: unknown, answered: unknown, path = ''): string[] {
  if (sent === null || sent === undefined || isSame(sent, answered)) return [];
  if (path === '.tags' && areSameTags(sent, answered)) return [];
  // Only true is answered.
  if (path === '.archived' && sent === false) return [];
  if (Array.isArray(sent) && Array.isArray(answered) && sent.length === answered.length) {
    return sent.flatMap((element, index) => faultsOfKept(element, answered[index], `${path}.${index}`));
  }
  if (isObject(sent)) {
    // One with nothing in it may be kept as nothing.
    const members = Object.entries(sent).filter(([name, member]) => member !== null && !INPUT_ONLY.has(name));
    if (answered === undefined && members.length === 0) return [];
    if (isObject(answered)) {
      return members.flatMap(([name, member]) => faultsOfKept(member, answered[name], `${path}.${name}`));
    }
  }
  return [
    `Not kept: ${path}: ${JSON.stringify(sent)} is answered as ${JSON.stringify(answered)}`.slice(0, 500),
  ];
}

const INPUT_ONLY: ReadonlySet<string> = new Set(['password', 'addTags', 'removeTags', 'utmTemplateId']);

/** Whether the tags are the same in any order, case and Unicode form, each once. */
function areSameTags(sent: unknown, answered: unknown = []): boolean {
  const keys = [sent, answered].map((names) =>
    [...new Set((names as string[]).map((name) => name.normalize('NFC').toLowerCase()))].toSorted(),
  );
  return JSON.stringify(keys[0]) === JSON.stringify(keys[1]);
}

function isSame(sent: unknown, answered: unknown): boolean {
  if (sent === answered) return true;
  return typeof sent === 'string' && URL.canParse(sent) && new URL(sent).href === answered;
}

const MEMBERS_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  Url: ['shortener', 'utm', 'redirect'],
  App: ['redirect'],
  Landing: ['landing', 'landingButtons', 'appearance'],
  QRTag: ['qrTag', 'qrTagButtons', 'appearance'],
  DigiCard: ['digiCard', 'digiCardButtons', 'appearance'],
  TxtBin: ['txtBin'],
  QrMenu: ['qrMenu', 'appearance'],
};

/** A patch without the members that belong to other types than `type`, which are ignored. */
export function withoutOtherTypes(patch: unknown, type: string): unknown {
  if (!isObject(patch)) return patch;
  const others = Object.entries(MEMBERS_OF_TYPES).flatMap(([name, members]) =>
    name === type ? [] : members,
  );
  const own = MEMBERS_OF_TYPES[type] ?? [];
  const kept = Object.fromEntries(
    Object.entries(patch).filter(([name]) => own.includes(name) || !others.includes(name)),
  );
  const { configuration } = kept;
  if (type === 'App' || !isObject(configuration)) return kept;
  const isStore = (name: string) => /^[a-zA-Z]+Link$/.test(name);
  const members = Object.entries(configuration).filter(([name]) => !isStore(name));
  return { ...kept, configuration: Object.fromEntries(members) };
}
