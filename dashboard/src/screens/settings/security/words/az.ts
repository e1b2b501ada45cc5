import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Təhlükəsizlik',
  password: 'Parol',
  setPassword: 'Parol təyin et',
  noPassword: 'Hələ parolunuz yoxdur. Parolla keçid olmadan daxil ola bilərsiniz.',
  current: 'Hazırkı parol',
  next: 'Yeni parol',
  rule: 'Ən azı 10 simvol. Bütün başqa brauzerlərdən çıxış ediləcək.',
  change: 'Parolu dəyiş',
  changed: 'Parol dəyişdirildi',
  wrong: 'Parol yanlışdır.',
  sessions: 'Seanslar',
  thisBrowser: 'Bu brauzer',
  lastSeen: (when) => `Son görülmə: ${when}`,
  since: (when) => `giriş: ${when}`,
  signOut: (device) => `Çıxış et: ${device}`,
  signOutOthers: 'Bütün başqalarından çıx',
  signedOut: 'Çıxış edildi',
};
