/**
 * Our own icons: what stands inside a `<symbol>` of 24 by 24. Two-pixel strokes with round ends in the colour of the text,
 * which the base style gives to `.i`. No marks of any brand.
 */
export const ICONS = {
  link: '<path d="M7 17 17 7M9 7h8v8"/>',
  search: '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5 21 21"/>',
  pause: '<circle cx="12" cy="12" r="9"/><path d="M10 8.5v7M14 8.5v7"/>',
  removed: '<circle cx="12" cy="12" r="9"/><path d="m9 9 6 6M15 9l-6 6"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  warning: '<path d="M12 4 2.5 20h19z"/><path d="M12 10v4M12 17v.01"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
} as const;

export type IconName = keyof typeof ICONS;
