/** The seven types, in the specification's spelling. */
export const SMARTLINK_TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'] as const;
export type SmartlinkType = (typeof SMARTLINK_TYPES)[number];

/** The object without which a hosted page has nothing to show (management-api.md, Required content by type). */
export const PAGE_OBJECTS = {
  Landing: 'landing',
  QRTag: 'qrTag',
  DigiCard: 'digiCard',
  TxtBin: 'txtBin',
  QrMenu: 'qrMenu',
} as const satisfies Partial<Record<SmartlinkType, string>>;

/** The states of a smartlink (management-api.md, States and transitions). Deleted is final. */
export const SMARTLINK_STATUSES = ['Active', 'Paused', 'Deleted'] as const;
export type SmartlinkStatus = (typeof SMARTLINK_STATUSES)[number];
