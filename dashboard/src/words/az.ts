import { byRoom } from './by-room.js';

/** Words of the frame and of the first screen. */
export const first = byRoom(
  import.meta.glob<object>('../{app,parts,screens/links}/words/az.ts', { eager: true, import: 'words' }),
);

/** Words that load with their screens. */
export const later = byRoom(
  import.meta.glob<object>(['../screens/**/words/az.ts', '!../screens/links/**'], { import: 'words' }),
);
