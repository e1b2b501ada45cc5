import { byRoom } from './by-room.js';

export const dictionary = byRoom(
  import.meta.glob<object>('../**/words/ru.ts', { eager: true, import: 'words' }),
);
