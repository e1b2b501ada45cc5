import { byRoom } from './by-room.js';

export const dictionary = byRoom(
  import.meta.glob<object>('../**/words/tr.ts', { eager: true, import: 'words' }),
);
