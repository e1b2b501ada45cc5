import { byRoom } from './by-room.js';

export const dictionary = byRoom(
  import.meta.glob<object>('../**/words/en.ts', { eager: true, import: 'words' }),
);
