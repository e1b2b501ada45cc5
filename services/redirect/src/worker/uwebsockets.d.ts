import type {} from 'uWebSockets.js';

declare module 'uWebSockets.js' {
  /** Missing in the types of the library: `silent` leaves its name out of answers. */
  export function _cfg(key: 'silent'): void;
}
